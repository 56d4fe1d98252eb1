package io.delayjob.test.autoconfigure;

import io.delayjob.test.DelayJobTester;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Runs delayjob in virtual time, which passes only when the test advances the time. Use this annotation together with
 * {@code @SpringBootTest} or a slice such as {@code @JdbcTest}:
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureDelayJobTest
 * class UnpaidOrdersTest {
 *     @Autowired DelayJobTester tester;
 *     @Autowired UnpaidOrders unpaidOrders;
 *     @Test
 *     void unpaidOrderIsCancelled() {
 *         unpaidOrders.placed(42);
 *         tester.advance(ofMinutes(30));
 *         assertThat(orders.find(42).status()).isEqualTo(CANCELLED);
 *     }
 * }
 * }</pre>
 *
 * <p>Only the clock, the threads and the leases are virtual. Jobs are kept in the application's database, with their
 * times in virtual time. Without a database, or with {@code delayjob.store=memory}, jobs are kept in memory. Handlers
 * run on the test's thread, within {@link DelayJobTester#advance}.
 *
 * <p>A test must not use the job tables of a real application. The application context starts only if all jobs and
 * instances in the tables come from tests in virtual time. A database in memory, and tables that this test run has
 * created, are always allowed.
 *
 * <p>If test methods share an application context, they also share the jobs and the time of this context. A new
 * context, for example after {@code @DirtiesContext}, begins with a new virtual time. The new context finds earlier
 * jobs only in a database that outlives a context. If a test method is {@code @Transactional}, its jobs are never
 * committed and therefore never run.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("delayjob.test")
public @interface AutoConfigureDelayJobTest {

    /** The instant at which virtual time begins, in ISO-8601. */
    String startingAt() default "2030-01-01T00:00:00Z";
}
