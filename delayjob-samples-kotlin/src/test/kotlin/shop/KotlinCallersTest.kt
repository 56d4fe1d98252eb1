package shop

import io.delayjob.DelayJobOperations
import io.delayjob.InvalidHandlerReferenceException
import io.delayjob.MethodReference
import io.delayjob.annotation.Deferred
import io.delayjob.annotation.DelayedJob
import io.delayjob.annotation.JobArgument
import io.delayjob.handler.InvalidPayloadException
import io.delayjob.handler.JobContext
import io.delayjob.schedule.Repeat
import io.delayjob.store.JobQuery
import io.delayjob.test.DelayJobAssertions.assertThat
import io.delayjob.test.DelayJobTester
import io.delayjob.test.autoconfigure.AutoConfigureDelayJobTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Service
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration

/** What Java writes as `UnpaidOrders::cancel`, Kotlin does as well. */
@SpringBootTest(classes = [KotlinShop::class])
@AutoConfigureDelayJobTest
class KotlinCallersTest(
    @Autowired private val jobs: DelayJobOperations,
    @Autowired private val tester: DelayJobTester,
    @Autowired private val calls: Calls,
    @Autowired private val receipts: Receipts,
    @Autowired private val unpaidOrders: UnpaidOrders,
) {
    @Test
    fun `a handler without payload`() {
        jobs.schedule(Handlers::purge).after(Duration.ofSeconds(1))
        tester.advance(Duration.ofSeconds(1))
        assertThat(calls.made).contains("purge")
    }

    @Test
    fun `a handler with a context`() {
        jobs.schedule(Handlers::audit).repeat(Repeat.finite(Duration.ofSeconds(1), Duration.ofSeconds(1)))
        tester.advance(Duration.ofSeconds(2))
        assertThat(calls.made).contains("audit 1", "audit 2")
    }

    @Test
    fun `a handler with a payload`() {
        jobs.schedule(Handlers::cancel).with(42L).key(42L).after(Duration.ofMinutes(30))
        assertThat(tester).hasDelayed(Handlers::cancel).withKey(42L)
        tester.advance(Duration.ofMinutes(30))
        assertThat(calls.made).contains("cancel 42")
    }

    @Test
    fun `a handler with a payload and a context`() {
        jobs.schedule(Handlers::remind).with("Ann").now()
        tester.runDue()
        assertThat(calls.made).contains("remind Ann in run 1")
    }

    @Test
    fun `a handler with two payloads`() {
        jobs.schedule(Handlers::mail).with(7L, "de").now()
        tester.runDue()
        assertThat(calls.made).contains("mail 7 de")
    }

    @Test
    fun `a data class with defaults and nulls`() {
        jobs.schedule(Handlers::welcome).with(Customer(1, nickname = null)).now()
        jobs.schedule("welcome").with(mapOf("customer" to mapOf("id" to 2))).now()
        tester.runDue()
        assertThat(calls.made)
            .contains("welcome Customer(id=1, nickname=null, language=en)", "welcome Customer(id=2, nickname=null, language=en)")
    }

    @Test
    fun `by name, what may be null may be left out`() {
        jobs.schedule("greet").with(mapOf("name" to "Ann")).now()
        tester.runDue()
        assertThat(calls.made).contains("greet Ann null")

        assertThatThrownBy { jobs.schedule("greet").now() }
            .isInstanceOf(InvalidPayloadException::class.java)
            .hasMessageContaining("Missing argument 'name' for handler 'greet'")
        assertThatThrownBy { jobs.schedule("greet").with(mapOf("nickname" to "A")).now() }
            .isInstanceOf(InvalidPayloadException::class.java)
    }

    @Test
    fun `what a payload lacks has its default`() {
        jobs.schedule("invoice").with(mapOf("orderId" to 7)).now()
        jobs.schedule("invoice").with(mapOf("orderId" to 8, "copies" to 0, "currency" to null)).now()
        tester.runDue()
        assertThat(calls.made).contains("invoice 7 EUR 2 null run 1", "invoice 8 EUR 0 null run 1")

        assertThatThrownBy { jobs.schedule("invoice").with(mapOf("copies" to 1)).now() }
            .isInstanceOf(InvalidPayloadException::class.java)
            .hasMessageContaining("Missing argument 'orderId' for handler 'invoice'")
    }

    @Test
    fun `a default is filled in behind a proxy, too`() {
        jobs.schedule("thank").with(mapOf("orderId" to 3)).now()
        tester.runDue()
        assertThat(calls.made).contains("thank 3 kindly")
    }

    @Test
    fun `a renamed parameter keeps its stored name`() {
        jobs.schedule("pack").with(mapOf("orderId" to 5)).now()
        jobs.schedule(Handlers::pack).with(6L).now()
        tester.runDue()
        assertThat(calls.made).contains("pack 5", "pack 6")
        assertThat(jobs.find(JobQuery.all().name("pack")).jobs()).hasSize(2)
    }

    @Test
    fun `many at once`() {
        jobs.schedule(Handlers::cancel).withEach(listOf(1L, 2L)).key { it }.now()
        tester.runDue()
        assertThat(calls.made).contains("cancel 1", "cancel 2")
    }

    @Test
    fun `the page's example`() {
        unpaidOrders.placed(8)
        tester.advance(Duration.ofMinutes(30))
        assertThat(calls.made).contains("unpaid 8")

        val page = Files.readString(Path.of("../docs/getting-started.md"))
        val shown = page.substringAfter("```kotlin\n").substringBefore("```")
        assertThat(Files.readString(Path.of("src/test/kotlin/shop/UnpaidOrders.kt"))).endsWith(shown)
    }

    @Test
    fun `a lambda is refused`() {
        assertThatThrownBy { jobs.schedule(MethodReference.NoPayload<Handlers> { it.purge() }) }
            .isInstanceOf(InvalidHandlerReferenceException::class.java)
            .hasMessageContaining("must be a method reference such as UnpaidOrders::cancel and not a lambda body")
    }

    @Test
    fun `a suspend function is refused`() {
        ApplicationContextRunner()
            .withUserConfiguration(KotlinShop::class.java)
            .withBean(Suspended::class.java)
            .run { context ->
                assertThat(context.startupFailure)
                    .hasMessageContaining("Suspended.pause is a suspend function")
            }
    }

    @Test
    fun `a deferred call`() {
        receipts.send(9)
        assertThat(calls.made).doesNotContain("receipt 9")
        tester.advance(Duration.ofSeconds(5))
        assertThat(calls.made).contains("receipt 9")
    }
}

data class Customer(val id: Long, val nickname: String?, val language: String = "en")

class Calls : Orders {
    val made = mutableListOf<String>()

    override fun cancelIfUnpaid(orderId: Long) {
        made += "unpaid $orderId"
    }
}

class Suspended {

    @DelayedJob("suspended")
    suspend fun pause() {
    }
}

@Service
class Handlers(private val calls: Calls) {

    @DelayedJob("purge")
    fun purge() {
        calls.made += "purge"
    }

    @DelayedJob("audit")
    fun audit(job: JobContext) {
        calls.made += "audit ${job.run()}"
    }

    @DelayedJob("cancel")
    fun cancel(orderId: Long) {
        calls.made += "cancel $orderId"
    }

    @DelayedJob("remind")
    fun remind(name: String, job: JobContext) {
        calls.made += "remind $name in run ${job.run()}"
    }

    @DelayedJob("mail")
    fun mail(customerId: Long, language: String) {
        calls.made += "mail $customerId $language"
    }

    @DelayedJob("greet")
    fun greet(name: String, nickname: String?) {
        calls.made += "greet $name $nickname"
    }

    @DelayedJob("invoice")
    fun invoice(orderId: Long, currency: String = "EUR", copies: Int = 2, note: String?, job: JobContext) {
        calls.made += "invoice $orderId $currency $copies $note run ${job.run()}"
    }

    @DelayedJob("pack")
    fun pack(@JobArgument("orderId") parcelId: Long) {
        calls.made += "pack $parcelId"
    }

    @DelayedJob("welcome")
    fun welcome(customer: Customer) {
        calls.made += "welcome $customer"
    }
}

@Service
class Receipts(private val calls: Calls) {

    @Deferred(name = "receipt", value = "5s", key = "#orderId")
    fun send(orderId: Long) {
        calls.made += "receipt $orderId"
    }

    @Deferred(name = "thank")
    fun thank(orderId: Long, how: String = "kindly") {
        calls.made += "thank $orderId $how"
    }
}

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Calls::class, Handlers::class, Receipts::class, UnpaidOrders::class)
class KotlinShop
