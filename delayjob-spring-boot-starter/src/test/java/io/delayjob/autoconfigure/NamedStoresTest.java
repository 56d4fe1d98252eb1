package io.delayjob.autoconfigure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.ChainSpec;
import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.TestRedis;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.InvalidHandlerException;
import io.delayjob.spring.StoreSelector;
import io.delayjob.store.JobQuery;
import io.delayjob.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with three stores, each in an H2 database of its own. */
@ExtendWith(OutputCaptureExtension.class)
class NamedStoresTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private @Nullable ConfigurableApplicationContext application;

    private ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        application = new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.generate-unique-name=true",
                        "delayjob.stores.eu.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "delayjob.stores.eu.partitions=2",
                        "delayjob.stores.us.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "delayjob.partitions=4",
                        "delayjob.shutdown.await=1s")
                .properties(properties)
                .run();
        return application;
    }

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    private static Optional<Job> in(DelayJobOperations jobs, String store, JobId id) {
        return jobs.in(store).find(id);
    }

    @Test
    void jobs_runFromTheStoreThatTheCallNames() {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Letters letters = context.getBean(Letters.class);

        JobId here = jobs.schedule(Letters::send)
                .with("default")
                .after(ofMillis(100))
                .id();
        JobId eu = jobs.in("eu")
                .schedule(Letters::send)
                .with("eu")
                .after(ofMillis(100))
                .id();
        JobId us = jobs.in("us")
                .schedule("send")
                .with(Map.of("to", "us"))
                .after(ofMillis(100))
                .id();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(letters.sent).hasSize(3));
        assertThat(letters.sent).containsExactlyInAnyOrder("default", "eu", "us");
        assertThat(in(jobs, "default", here)).isPresent();
        assertThat(in(jobs, "eu", here)).isEmpty();
        assertThat(in(jobs, "eu", eu)).isPresent();
        assertThat(in(jobs, "us", eu)).isEmpty();
        assertThat(in(jobs, "us", us)).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(jobs.find(us).orElseThrow().state()).isEqualTo(JobState.FINISHED));
    }

    @Test
    void settings_areThoseOfTheStoreOrElseTheCommonOnes() {
        DelayJobStores stores = start(Post.class).getBean(DelayJobStores.class);

        assertThat(stores.names()).containsExactly("default", "eu", "us");
        assertThat(stores.get("default").settings().queues().partitions()).isEqualTo(4);
        assertThat(stores.get("eu").settings().queues().partitions()).isEqualTo(2);
        assertThat(stores.get("us").settings().queues().partitions()).isEqualTo(4);
    }

    @Test
    void handlerWithAStore_getsItsJobsThere() {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Parcels parcels = context.getBean(Parcels.class);

        JobId parcel = jobs.schedule(Parcels::send)
                .with("parcel")
                .key("p1")
                .after(ofMillis(100))
                .id();
        parcels.stamp("stamp");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(parcels.sent()).contains("parcel", "stamp", "collected"));
        assertThat(in(jobs, "eu", parcel)).isPresent();
        assertThat(jobs.find("parcel", "p1")).get().extracting(Job::id).isEqualTo(parcel);
        assertThat(in(jobs, "default", parcel)).isEmpty();
        assertThat(jobs.in("us").find("collect", Job.DECLARED_KEY)).isPresent();
        assertThat(jobs.in("default").find("collect", Job.DECLARED_KEY)).isEmpty();
        assertThatThrownBy(() ->
                        jobs.in("us").schedule(Parcels::send).with("wrong").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Invalid store 'us' for handler 'parcel': must be 'eu', which the handler states (store = \"eu\"), because the handler runs jobs of that store only. Leave out in(\"us\"), or remove the store from the handler's annotation.");
    }

    @Test
    void callByAnId_findsTheStoreOfTheJob() {
        DelayJobOperations jobs = start(Post.class).getBean(DelayJobOperations.class);
        JobId us = jobs.in("us")
                .schedule(Letters::send)
                .with("Ann")
                .after(ofHours(1))
                .id();

        assertThat(jobs.cancel(us)).isEqualTo(CancelResult.CANCELLED);
        assertThat(in(jobs, "us", us).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void unknownStore_isRefusedAtTheCall() {
        DelayJobOperations jobs = start(Post.class).getBean(DelayJobOperations.class);

        assertThatThrownBy(() -> jobs.in("eus"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Unknown store 'eus': must be one of [default, eu, us], the names of delayjob.stores and 'default'. Did you mean 'eu'?");
    }

    @Test
    void transactionOfTheStore_decidesAboutItsJobs() {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        Orders orders = context.getBean(Orders.class);

        JobId placed = orders.placeInEu("Ann", false);
        assertThatThrownBy(() -> orders.placeInEu("Bob", true)).hasMessage("out of stock");

        assertThat(in(jobs, "eu", placed)).isPresent();
        assertThat(jobs.in("eu").find(JobQuery.all()).jobs()).hasSize(1);
    }

    @Test
    void callWithinTheTransactionOfAnotherStore_isRefused() {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        TransactionTemplate ofDefault = context.getBean(TransactionTemplate.class);
        TransactionTemplate ofEu = new TransactionTemplate(BeanFactoryAnnotationUtils.qualifiedBeanOfType(
                context.getBeanFactory(), PlatformTransactionManager.class, "eu"));

        assertThatThrownBy(() -> ofDefault.executeWithoutResult(status -> jobs.in("eu")
                        .schedule("send")
                        .with(Map.of("to", "Ann"))
                        .key("a")
                        .now()))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("Refused to schedule 'send' with key 'a' (")
                .hasMessageEndingWith(
                        "cannot join it. Make the call within a transaction of the store's own data source, such as @Transactional(\"eu\"), or outside of any transaction. Or set delayjob.jdbc.in-other-transaction=after-commit, so that the call waits for the commit.");
        assertThatThrownBy(() -> ofEu.executeWithoutResult(
                        status -> jobs.schedule(Letters::send).with("Ann").now()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("@Transactional without a name");
        ofEu.executeWithoutResult(
                status -> jobs.in("eu").schedule(Letters::send).with("Ann").after(ofHours(1)));

        assertThat(jobs.in("eu").find(JobQuery.all()).jobs()).hasSize(1);
        assertThat(jobs.in("default").find(JobQuery.all()).jobs()).isEmpty();
    }

    @Test
    void callWithinTheTransactionOfAnotherStore_waitsForItsCommitIfToldTo() {
        ConfigurableApplicationContext context =
                start(Post.class, "delayjob.stores.eu.jdbc.in-other-transaction=after-commit");
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        TransactionTemplate ofDefault = context.getBean(TransactionTemplate.class);

        Scheduled committed = ofDefault.execute(
                status -> jobs.in("eu").schedule(Letters::send).with("Ann").after(ofHours(1)));
        Scheduled rolledBack = ofDefault.execute(status -> {
            status.setRollbackOnly();
            return jobs.in("eu").schedule(Letters::send).with("Bob").after(ofHours(1));
        });

        assertThat(committed.outcome()).isEqualTo(Scheduled.Outcome.ON_COMMIT);
        assertThat(in(jobs, "eu", committed.id())).isPresent();
        assertThat(in(jobs, "eu", rolledBack.id())).isEmpty();
    }

    @Test
    void selector_choosesTheStoreByTheKey() {
        ConfigurableApplicationContext context = start(ByKey.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);

        JobId eu = jobs.schedule(Letters::send)
                .with("Ann")
                .key("eu-1")
                .after(ofHours(1))
                .id();
        JobId us = jobs.schedule("send")
                .with(Map.of("to", "Bob"))
                .key("us-1")
                .after(ofHours(1))
                .id();
        List<Scheduled> many = jobs.schedule(Letters::send)
                .withEach(List.of("us-2", "eu-2", "default-2", "eu-3"))
                .key(to -> to)
                .after(ofHours(1));

        assertThat(in(jobs, "eu", eu)).isPresent();
        assertThat(in(jobs, "us", us)).isPresent();
        assertThat(many).hasSize(4);
        assertThat(in(jobs, "us", many.get(0).id())).get().extracting(Job::key).isEqualTo("us-2");
        assertThat(in(jobs, "eu", many.get(1).id())).get().extracting(Job::key).isEqualTo("eu-2");
        assertThat(in(jobs, "default", many.get(2).id()))
                .get()
                .extracting(Job::key)
                .isEqualTo("default-2");
        assertThat(in(jobs, "eu", many.get(3).id())).get().extracting(Job::key).isEqualTo("eu-3");
        assertThat(jobs.find("send", "us-1")).get().extracting(Job::id).isEqualTo(us);
        assertThat(jobs.cancel(Letters::send, "us-1")).isEqualTo(CancelResult.CANCELLED);
        assertThatThrownBy(() ->
                        jobs.schedule(Letters::send).with("Cy").key("asia-1").now())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The StoreSelector chose store 'asia' for handler 'send' and key 'asia-1': must be one of [default, eu, us]. Correct the bean, or declare the store by delayjob.stores.asia.*.");
    }

    @Test
    void group_liesInOneStore() {
        DelayJobOperations jobs = start(ByKey.class).getBean(DelayJobOperations.class);

        assertThatThrownBy(() -> jobs.schedule(Letters::send)
                        .with("Ann")
                        .key("eu-1")
                        .group("letters")
                        .after(ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Invalid group 'letters'")
                .hasMessageContaining("in(\"…\")");
        jobs.in("eu").group("letters").add(jobs.in("eu").schedule(Letters::send).with("Ann"));

        assertThat(jobs.in("eu").group("letters").find()).isPresent();
        assertThat(jobs.in("default").group("letters").find()).isEmpty();
        assertThatThrownBy(() -> jobs.group("letters"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Invalid group 'letters': must name its store, because a group counts jobs of one store, and this application has several stores. Call in(\"…\").group(…) and in(\"…\").schedule(…) with one of [default, eu, us].");
    }

    @Test
    void chain_liesInTheStoreOfItsFirstJob() {
        DelayJobOperations jobs = start(ByKey.class).getBean(DelayJobOperations.class);

        ScheduledChain chain = jobs.schedule(Letters::send)
                .with("Ann")
                .key("eu-9")
                .then(Letters::send)
                .with("Bob")
                .thenAlways("send")
                .startAfter(ofHours(1));

        assertThat(in(jobs, "eu", chain.first().id()))
                .get()
                .satisfies(first -> assertThat(first.extras().steps())
                        .extracting(ChainStep::id)
                        .isEqualTo(chain.followers()));
    }

    @Test
    void chain_refusesAHandlerThatStatesAnotherStore() {
        DelayJobOperations jobs = start(Post.class).getBean(DelayJobOperations.class);
        ChainSpec inEu =
                jobs.in("eu").schedule("send").with(Map.of("to", "Ann")).then("parcel");

        assertThat(inEu.startAfter(ofHours(1)).followers()).hasSize(1);
        assertThatThrownBy(() -> jobs.in("us")
                        .schedule("send")
                        .with(Map.of("to", "Ann"))
                        .then("parcel")
                        .startAfter(ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Invalid job 'parcel' in a chain: its handler must belong to the store of the first job, but states another store (store = \"eu\"). Schedule the first job in(\"eu\"), or let the previous job schedule this job.");
    }

    @Test
    void query_readsTheStoreOfItsHandlerOrKey() {
        DelayJobOperations jobs = start(ByKey.class).getBean(DelayJobOperations.class);
        JobId parcel = jobs.schedule(Parcels::send)
                .with("Ann")
                .key("p1")
                .after(ofHours(1))
                .id();
        JobId letter = jobs.schedule(Letters::send)
                .with("Bob")
                .key("us-1")
                .after(ofHours(1))
                .id();

        assertThat(jobs.find(JobQuery.all().name("parcel")).jobs())
                .extracting(Job::id)
                .containsExactly(parcel);
        assertThat(jobs.find(JobQuery.all().name("send").key("us-1")).jobs())
                .extracting(Job::id)
                .containsExactly(letter);
        assertThat(jobs.stream(JobQuery.all().name("send"))).isEmpty();
        assertThat(jobs.in("us").stream(JobQuery.all().name("send")))
                .extracting(Job::id)
                .containsExactly(letter);
        assertThatThrownBy(() -> jobs.find((JobQuery) null)).hasMessageContaining("must say which jobs");
        assertThat(jobs.cancel(JobQuery.state(JobState.DELAYED).name("parcel")).changed())
                .isOne();
    }

    @Test
    void pauseOfAHandler_holdsInAllStores() {
        DelayJobOperations jobs = start(Post.class).getBean(DelayJobOperations.class);

        assertThat(jobs.pause("send")).isTrue();

        assertThat(List.of("default", "eu", "us"))
                .allSatisfy(
                        store -> assertThat(jobs.in(store).paused().handlers()).contains("send"));
        assertThat(jobs.resume(Letters::send)).isTrue();
        assertThat(jobs.in("us").paused().handlers()).isEmpty();
    }

    @Test
    void pauseWhileStoresAreAway_holdsInTheOthers_andSaysSo() throws SQLException {
        ConfigurableApplicationContext context = start(Post.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        context.getBean(DataSource.class).unwrap(HikariDataSource.class).close();
        BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), DataSource.class, "eu")
                .unwrap(HikariDataSource.class)
                .close();

        assertThatThrownBy(() -> jobs.pause("send"))
                .isInstanceOf(StoreException.class)
                .satisfies(first ->
                        assertThat(first.getSuppressed()).singleElement().isInstanceOf(StoreException.class));
        assertThat(jobs.in("us").paused().handlers()).contains("send");

        assertThatThrownBy(() -> jobs.resume("send")).isInstanceOf(StoreException.class);
        assertThat(jobs.in("us").paused().handlers()).isEmpty();
    }

    @Test
    void beansOfStores_areNoDefaultCandidates() {
        ConfigurableApplicationContext context = start(Post.class);

        assertThat(context.getBean(DataSource.class)).isSameAs(context.getBean("dataSource"));
        assertThat(context.getBean(PlatformTransactionManager.class)).isSameAs(context.getBean("transactionManager"));
    }

    @Test
    void configuration_isRefusedWithTheReason() {
        assertThatRefused(
                "delayjob.stores.default.partitions=1",
                "Invalid store name 'default': it is the name of the store that delayjob.* describes. Move the properties of delayjob.stores.default to delayjob, or choose another name.");
        assertThatRefused(
                "delayjob.stores.asia.partitions=1",
                "Store 'asia' has no data source: state delayjob.stores.asia.data-source, the name of a DataSource bean, or delayjob.stores.asia.url, such as jdbc:postgresql://host/jobs. Or set delayjob.stores.asia.store=redis or memory.");
        assertThatRefused(
                "delayjob.stores.asia.data-source=asiaDb",
                "Invalid delayjob.stores.asia.data-source 'asiaDb': must be the name of a bean of type DataSource; the application has [dataSource].");
        assertThatRefused(
                "delayjob.stores.eu.heartbeat=9s",
                "Store 'eu': Invalid delayjob.liveness PT10S: must be at least PT27S");
        assertThatRefused(
                "delayjob.stores.asia.data-source=dataSource",
                "keep their jobs in the same place, so the engine of each store would run the jobs of both stores.");
        assertThatRefused(
                "delayjob.stores.asia.store=mongo",
                "Invalid delayjob.stores.asia.store 'mongo': must be jdbc, redis or memory.");
    }

    private void assertThatRefused(String property, String message) {
        assertThatThrownBy(() -> start(Post.class, property))
                .satisfies(failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageContaining(message));
    }

    @Test
    void storeThatCannotBeOpened_isNamed_andAllOtherStoresAreClosedAgain() {
        String opened = "jdbc:h2:mem:" + UUID.randomUUID();

        assertThatThrownBy(() -> start(
                        Post.class,
                        "delayjob.stores.asia.url=jdbc:h2:mem:missing;IFEXISTS=TRUE",
                        "delayjob.stores.eu.url=" + opened))
                .satisfies(failure ->
                        assertThat(NestedExceptionUtils.getRootCause(failure)).isInstanceOf(SQLException.class))
                .hasStackTraceContaining("Store 'asia': delayjob cannot reach the database of its tables: ");
        // H2 removes such a database when its last connection is closed.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThatThrownBy(() -> DriverManager.getConnection(opened + ";IFEXISTS=TRUE"))
                        .isInstanceOf(SQLException.class));
    }

    @Test
    void storeInRedis_usesTheConnectionFactoryThatItNames() {
        ConfigurableApplicationContext context = start(
                WithRedis.class,
                "delayjob.stores.fast.connection-factory=jobsRedis",
                "delayjob.stores.fast.redis.namespace=" + TestRedis.namespace());
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);

        JobId fast = jobs.in("fast").schedule(Letters::send).with("fast").now().id();

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(in(jobs, "fast", fast).orElseThrow().state()).isEqualTo(JobState.FINISHED));
        assertThat(context.getBean(Letters.class).sent).containsExactly("fast");
        assertThat(in(jobs, "default", fast)).isEmpty();
        assertThat(context.getBean(DelayJobStores.class).get("fast").store()).isInstanceOf(RedisJobStore.class);
    }

    @Test
    void storeInRedis_thatNamesNoConnectionFactory_isRefused() {
        assertThatThrownBy(() -> start(WithRedis.class, "delayjob.stores.fast.connection-factory=dataSource"))
                .satisfies(
                        failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                                .isInstanceOf(InvalidSettingException.class)
                                .hasMessage(
                                        "Invalid delayjob.stores.fast.connection-factory 'dataSource': must be the name of a bean of type LettuceConnectionFactory; the application has [jobsRedis]."));
    }

    @Test
    void handlerOfAnUnknownStore_isRefused() {
        assertThatThrownBy(() -> start(Lost.class))
                .satisfies(
                        failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                                .isInstanceOf(InvalidHandlerException.class)
                                .hasMessageContaining(
                                        "states the store 'asia', which does not exist; the stores are [default, eu, us]. Correct the name, or declare the store by delayjob.stores.asia.*."));
    }

    @Test
    void storesWithoutADefaultStore_areRefused() {
        assertThatThrownBy(
                        () -> start(
                                Post.class,
                                "spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"))
                .satisfies(failure -> assertThat(NestedExceptionUtils.getMostSpecificCause(failure))
                        .isInstanceOf(InvalidSettingException.class)
                        .hasMessageStartingWith("Invalid delayjob.stores: the application has no default store"));
    }

    @Test
    void meters_haveTheStoreAsATag() {
        ConfigurableApplicationContext context = start(Measured.class);
        DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
        MeterRegistry registry = context.getBean(MeterRegistry.class);

        jobs.in("eu").schedule(Letters::send).with("Ann").after(ofHours(1));

        assertThat(registry.get("delayjob.scheduled")
                        .tags("store", "eu", "handler", "send")
                        .counter()
                        .count())
                .isOne();
        assertThat(registry.get("delayjob.scheduled")
                        .tags("store", "default", "handler", "send")
                        .counter()
                        .count())
                .isZero();
        assertThat(registry.get("delayjob.store")
                        .tags("store", "eu", "operation", "submit")
                        .timer()
                        .count())
                .isOne();
        assertThat(registry.getMeters())
                .filteredOn(meter -> meter.getId().getName().startsWith("delayjob."))
                .filteredOn(meter -> !meter.getId().getName().startsWith("delayjob.execution"))
                .allSatisfy(meter -> assertThat(meter.getId().getTag("store")).isIn("default", "eu", "us"));
        assertThat(registry.get("delayjob.lease.held").gauges()).hasSize(3);
    }

    @Test
    void health_showsEachStore() {
        ConfigurableApplicationContext context = start(Post.class);

        assertThat(context.getBean("delayJobsHealthContributor", CompositeHealthContributor.class).stream())
                .extracting(HealthContributors.Entry::name)
                .containsExactly("default", "eu", "us");
    }

    @Test
    void propertiesOfStores_areKnown(CapturedOutput output) {
        start(Post.class, "delayjob.stores.eu.partitons=3", "delayjob.stores.eu.hikari.maximum-pool-size=7");

        assertThat(output)
                .contains(
                        "Unknown property delayjob.stores.eu.partitons is ignored. The most similar known property is delayjob.stores.eu.partitions.")
                .doesNotContain("Unknown property delayjob.stores.eu.url")
                .doesNotContain("Unknown property delayjob.stores.eu.partitions")
                .doesNotContain("Unknown property delayjob.stores.eu.hikari");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Letters.class, Parcels.class, Orders.class})
    static class Post {}

    /** The application's own Redis, which only the store uses that names it. */
    static class WithRedis extends Post {

        @Bean
        LettuceConnectionFactory jobsRedis() {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration(
                    "127.0.0.1", TestRedis.uri().getPort()));
        }
    }

    static class Letters {
        final List<String> sent = new CopyOnWriteArrayList<>();

        @DelayedJob("send")
        public void send(String to) {
            sent.add(to);
        }
    }

    static class Parcels {
        private final List<String> sent = new CopyOnWriteArrayList<>();

        /** Is called through the proxy, whose fields are null. */
        public List<String> sent() {
            return sent;
        }

        @DelayedJob(name = "parcel", store = "eu")
        public void send(String to) {
            sent.add(to);
        }

        @Deferred(name = "stamp", store = "us")
        public void stamp(String text) {
            sent.add(text);
        }

        @DelayedJob(name = "collect", store = "us", every = "100ms")
        public void collect() {
            sent.add("collected");
        }
    }

    static class Orders {
        private final DelayJobOperations jobs;
        private final JdbcTemplate jdbc;

        Orders(DelayJobOperations jobs, @Qualifier("eu") DataSource eu) {
            this.jobs = jobs;
            this.jdbc = new JdbcTemplate(eu);
        }

        @Transactional("eu")
        public JobId placeInEu(String customer, boolean fails) {
            jdbc.execute("CREATE TABLE IF NOT EXISTS orders (customer VARCHAR(20))");
            jdbc.update("INSERT INTO orders VALUES (?)", customer);
            JobId id = jobs.in("eu")
                    .schedule(Letters::send)
                    .with(customer)
                    .after(ofHours(1))
                    .id();
            if (fails) {
                throw new IllegalStateException("out of stock");
            }
            return id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Post.class)
    static class ByKey {

        @Bean
        StoreSelector byRegion() {
            return (handler, key) -> key == null ? "default" : key.replaceFirst("-.*", "");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Post.class)
    static class Measured {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Post.class)
    static class Lost {

        @DelayedJob(name = "lost", store = "asia")
        public void lost() {}
    }
}
