package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.JobArgument;
import io.delayjob.annotation.Retry;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.RateLimit;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.settings.EngineSettings;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

class HandlerDiscoveryTest {

    private static final JobContext CONTEXT = new FakeContext();

    private final HandlerRegistry registry = new HandlerRegistry();

    private AnnotationConfigApplicationContext start(Class<?>... beans) {
        return start(Map.of(), beans);
    }

    private AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.registerBean(EngineSettings.class, () -> EngineSettings.defaults("test"));
        context.registerBean(HandlerRegistry.class, () -> registry);
        context.registerBean(PayloadCodec.class, () -> new JacksonPayloadCodec(new JsonMapper()));
        context.registerBean(DelayJobOperations.class, () -> mock(DelayJobOperations.class));
        context.register(HandlerConfiguration.class);
        context.register(beans);
        context.refresh();
        return context;
    }

    private Object call(String handler, Object... arguments) throws Exception {
        return registry.find(handler).body().handle(List.of(arguments), CONTEXT);
    }

    @Test
    void annotatedMethods_becomeHandlers() throws Exception {
        try (var context = start(Orders.class)) {
            assertThat(registry.names()).containsExactlyInAnyOrder("cancel", "old-cancel", "Orders.remind", "ship");
            call("cancel", 42L);
            call("Orders.remind", "Ann", List.of(1, 2));
            assertThat(context.getBean(Orders.class).calls).containsExactly("cancel 42", "remind Ann [1, 2] 1");
        }
    }

    @Test
    void handlers_keepWhatTheirAnnotationSays() {
        try (var context = start(Orders.class)) {
            Handler handler = registry.find("cancel");
            assertThat(handler.formerNames()).containsExactly("old-cancel");
            assertThat(handler.queue()).isEqualTo("slow");
            assertThat(handler.concurrency()).isEqualTo(3);
            assertThat(handler.scope()).isEqualTo(ConcurrencyScope.CLUSTER);
            assertThat(handler.rate()).isEqualTo(RateLimit.of("100/s").burst(20));
            assertThat(handler.timeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(handler.maxSnooze()).isEqualTo(Duration.ofHours(2));
            assertThat(handler.expiresAfter()).isEqualTo(Duration.ofMinutes(10));
            assertThat(handler.keepFor()).isEqualTo(Duration.ofDays(90));
            assertThat(handler.mutex().keyOf(List.of(42L))).isEqualTo("order-42");
            assertThat(handler.rateBy().keyOf(List.of(42L))).isEqualTo("order-42");
            assertThat(handler.fairBy().keyOf(List.of(42L))).isEqualTo(2L);
            assertThat(handler.priority()).isEqualTo(40);
            assertThat(handler.delivery()).isEqualTo(Delivery.AT_MOST_ONCE);
            assertThat(handler.retry()).isEqualTo(RetryPolicy.gaps(Duration.ofSeconds(10), Duration.ofMinutes(1)));
            assertThat(handler.parameters()).containsExactly(new PayloadParameter("orderId", long.class));
            assertThat(handler.method()).isEqualTo(new HandlerMethod(Orders.class, "cancel", "(J)V"));
        }
    }

    @Test
    void unstatedAttributes_leaveTheDefaults() {
        try (var context = start(Orders.class)) {
            Handler handler = registry.find("Orders.remind");
            assertThat(handler.retry()).isNull();
            assertThat(handler.timeout()).isNull();
            assertThat(handler.maxSnooze()).isNull();
            assertThat(handler.expiresAfter()).isNull();
            assertThat(handler.keepFor()).isNull();
            assertThat(handler.mutex()).isNull();
            assertThat(handler.rateBy()).isNull();
            assertThat(handler.fairBy()).isNull();
            assertThat(handler.priority()).isEqualTo(Handler.DEFAULT_PRIORITY);
            assertThat(handler.queue()).isEqualTo(Handler.DEFAULT_QUEUE);
            assertThat(handler.concurrency()).isEqualTo(Integer.MAX_VALUE);
            assertThat(handler.rate()).isNull();
            assertThat(handler.delivery()).isEqualTo(Delivery.AT_LEAST_ONCE);
        }
    }

    @Test
    void jobContext_isNoPayload() {
        try (var context = start(Orders.class)) {
            assertThat(registry.find("Orders.remind").parameters())
                    .extracting(PayloadParameter::name)
                    .containsExactly("customer", "orders");
            assertThat(registry.find("Orders.remind").parameters().get(1).type().getTypeName())
                    .isEqualTo("java.util.List<java.lang.Integer>");
        }
    }

    @Test
    void parameters_thatMayBeLeftOut_areThoseThatSaySo() {
        try (var context = start(Greetings.class)) {
            assertThat(registry.find("greet").parameters())
                    .filteredOn(PayloadParameter::mayBeMissing)
                    .extracting(PayloadParameter::name)
                    .containsExactly("nickname", "title");
        }
    }

    @Test
    void dash_switchesAScheduleOff() {
        try (var context = start(Map.of("measure.every", "-"), SwitchedOff.class)) {
            assertThat(registry.names()).containsExactlyInAnyOrder("purge", "report", "measure");
        }
    }

    @Test
    void answers_areHandedOn() throws Exception {
        try (var context = start(Orders.class)) {
            assertThat(call("ship", 1L)).isEqualTo(Next.stop());
            assertThat(call("cancel", 1L)).isNull();
        }
    }

    @Test
    void completionStages_areHandedOn() throws Exception {
        try (var context = start(Async.class)) {
            assertThat(call("async")).isInstanceOf(CompletionStage.class);
        }
    }

    @Test
    void atomic_isKept() {
        try (var context = start(Atomic.class)) {
            assertThat(registry.find("joins").atomic()).isTrue();
            assertThat(registry.find("deferred").atomic()).isTrue();
            assertThat(registry.find("not").atomic()).isFalse();
        }
    }

    @Test
    void atomicHandlerWithAStage_isRefused() {
        assertThatExceptionOfType(InvalidHandlerException.class)
                .isThrownBy(() -> start(AtomicAsync.class))
                .withMessageContaining("AtomicAsync.run is atomic and returns a CompletionStage")
                .withMessageContaining("Let it return void or Next");
    }

    @ParameterizedTest
    @ValueSource(classes = {AtomicApart.class, AtomicInAClassApart.class})
    void atomicHandlerWithATransactionOfItsOwn_isRefused(Class<?> bean) {
        assertThatExceptionOfType(InvalidHandlerException.class)
                .isThrownBy(() -> start(bean))
                .withMessageContaining(".run is atomic, but its own transactional annotation")
                .withMessageContaining("Remove that annotation");
    }

    static class Atomic {
        @DelayedJob(name = "joins", atomic = true)
        @Transactional
        public void joins() {}

        @Deferred(name = "deferred", atomic = true)
        public void deferred() {}

        @DelayedJob("not")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void not() {}
    }

    static class AtomicAsync {
        @DelayedJob(name = "atomic-async", atomic = true)
        CompletionStage<Next> run() {
            return CompletableFuture.completedFuture(Next.stop());
        }
    }

    static class AtomicApart {
        @DelayedJob(name = "atomic-apart", atomic = true)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        void run() {}
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    static class AtomicInAClassApart {
        @DelayedJob(name = "atomic-apart", atomic = true)
        void run() {}
    }

    @Test
    void exceptions_arriveAsTheyWereThrown() {
        try (var context = start(Failing.class)) {
            assertThatExceptionOfType(java.io.IOException.class)
                    .isThrownBy(() -> call("checked"))
                    .withMessage("gone");
            assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> call("error"));
        }
    }

    @Test
    void placeholders_areResolved() {
        Map<String, Object> properties = Map.of("job.name", "resolved", "job.timeout", "5m", "job.gap", "7s");
        try (var context = start(properties, Placeholders.class)) {
            Handler handler = registry.find("resolved");
            assertThat(handler.timeout()).isEqualTo(Duration.ofMinutes(5));
            assertThat(handler.retry()).isEqualTo(RetryPolicy.gaps(Duration.ofSeconds(7)));
        }
    }

    @Test
    void metaAnnotations_areRead() {
        try (var context = start(MetaAnnotated.class)) {
            assertThat(registry.find("nightly").queue()).isEqualTo("night");
        }
    }

    @Test
    void inheritedMethods_areTheBeans() throws Exception {
        try (var context = start(Concrete.class)) {
            assertThat(registry.names()).containsExactlyInAnyOrder("inherited", "generic", "overridden");
            assertThat(registry.find("generic").parameters())
                    .containsExactly(new PayloadParameter("value", String.class));
            call("inherited", 7);
            call("generic", "x");
            call("overridden", "y");
            assertThat(context.getBean(Concrete.class).calls)
                    .containsExactly("inherited 7", "generic x", "overridden here y");
        }
    }

    @Test
    void proxiedBeans_areCalledThroughTheirProxy() throws Exception {
        try (var context = start(CountingProxies.class, PackagePrivate.class)) {
            call("package-private", 1);
            call("protected", 2);
            assertThat(CountingProxies.calls).containsExactly("packagePrivate", "guarded");
            assertThat(registry.find("protected").method().type()).isEqualTo(PackagePrivate.class);
        } finally {
            CountingProxies.calls.clear();
        }
    }

    @Test
    void lazyBeans_areMadeByTheirFirstJob() throws Exception {
        try (var context = start(Lazy.class)) {
            assertThat(Lazy.made).isZero();
            call("lazy");
            assertThat(Lazy.made).isOne();
        } finally {
            Lazy.made = 0;
        }
    }

    @Test
    void prototypes_areMadeForEachAttempt() throws Exception {
        try (var context = start(Prototype.class)) {
            call("prototype");
            call("prototype");
            assertThat(Prototype.made).isEqualTo(2);
        } finally {
            Prototype.made = 0;
        }
    }

    @Test
    void customizers_changeHandlers() {
        HandlerCustomizer toNight =
                handler -> Handler.named(handler.name()).queue("night").calls(handler.body());
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(HandlerCustomizer.class, () -> toNight);
        context.registerBean(EngineSettings.class, () -> EngineSettings.defaults("test"));
        context.registerBean(HandlerRegistry.class, () -> registry);
        context.registerBean(PayloadCodec.class, () -> new JacksonPayloadCodec(new JsonMapper()));
        context.registerBean(DelayJobOperations.class, () -> mock(DelayJobOperations.class));
        context.register(HandlerConfiguration.class, Async.class);
        try (context) {
            context.refresh();
            assertThat(registry.find("async").queue()).isEqualTo("night");
        }
    }

    @Test
    void twoHandlersOfOneName_areRefused() {
        assertThatExceptionOfType(InvalidHandlerException.class)
                .isThrownBy(() -> start(Async.class, SameName.class))
                .withMessageContaining("Two handlers have the name 'async'")
                .withMessageContaining("Async::run")
                .withMessageContaining("SameName::run");
    }

    @Test
    void gapsTogetherWithDelay_areRefused() {
        assertRefused(GapsAndDelay.class, "gaps together with delay");
    }

    @Test
    void badValues_areRefusedWithThePlace() {
        assertRefused(BadTimeout.class, "BadTimeout.run", "Invalid duration '5 apples'");
        assertRefused(BadConcurrency.class, "BadConcurrency.run", "Invalid concurrency -1");
        assertRefused(
                ScopeAlone.class,
                "ScopeAlone.run",
                "Invalid scope CLUSTER of handler 'x': must come with a concurrency");
        assertRefused(BadRate.class, "BadRate.run", "Invalid rate '100 a second': must be a whole number", "100/s");
        assertRefused(BurstAlone.class, "BurstAlone.run", "Invalid burst 20: must come with a rate. State a rate");
        assertRefused(BadCron.class, "BadCron.run", "Invalid cron expression");
        assertRefused(BadZone.class, "BadZone.run", "Invalid zone 'Europe/Berlln'");
        assertRefused(ZoneAlone.class, "ZoneAlone.run", "zone without cron");
        assertRefused(CronAndEvery.class, "CronAndEvery.run", "both cron and every");
        assertRefused(CronWithPayload.class, "CronWithPayload.run", "takes a payload");
        assertRefused(BadKey.class, "BadKey.run");
    }

    @Test
    void badSignatures_areRefusedWithThePlace() {
        assertRefused(PrivateMethod.class, "PrivateMethod.run", "is private", "any other visibility");
        assertRefused(StaticMethod.class, "StaticMethod.run", "is static", "Remove 'static'");
        assertRefused(ContextFirst.class, "ContextFirst.run", "not its last parameter");
        assertRefused(ReturnsNumber.class, "ReturnsNumber.run", "returns int");
        assertRefused(Both.class, "Both.run", "both @DelayedJob and @Deferred");
        assertRefused(FinalDeferred.class, "FinalDeferred.run", "is final");
        assertRefused(DeferredStage.class, "DeferredStage.run", "does not exist yet");
        assertRefused(NamedContext.class, "NamedContext.run has @JobArgument on its JobContext");
        assertRefused(NamelessArgument.class, "NamelessArgument.run", "Invalid parameter name ' '");
        assertRefused(SameArgument.class, "SameArgument.run", "two parameters are stored as 'id'");
    }

    @Test
    void annotationsThatDoNotGoTogether_areRefusedWithThePlace() {
        assertRefused(Locked.class, "Locked.run has @SchedulerLock", "would count as done without having run");
        assertRefused(ScheduledTwice.class, "ScheduledTwice.run has @Scheduled beside @DelayedJob");
        assertRefused(AsyncMethod.class, "AsyncMethod.run is @Async");
    }

    @Test
    void asyncMethodThatTellsItsEnd_isFine() {
        try (var context = start(AsyncStage.class)) {
            assertThat(registry.find("x")).isNotNull();
        }
    }

    @Test
    void packagePrivateMethodOfAnotherPackage_isCalledIfItsBeanHasNoProxy() throws Exception {
        try (var context = start(InAnotherPackage.class)) {
            assertThat(call("hidden")).isNull();
        }
    }

    @Test
    void packagePrivateMethodOfAnotherPackage_isRefusedIfItsBeanHasAProxy() {
        try {
            assertThatExceptionOfType(InvalidHandlerException.class)
                    .isThrownBy(() -> start(CountingProxies.class, InAnotherPackage.class))
                    .withMessageContaining("InAnotherPackage.run is package-private in another package than its bean");
        } finally {
            CountingProxies.calls.clear();
        }
    }

    @Test
    void finalMethodOfProxiedBean_isRefused() {
        try {
            assertThatExceptionOfType(InvalidHandlerException.class)
                    .isThrownBy(() -> start(CountingProxies.class, FinalMethod.class))
                    .withMessageContaining("FinalMethod.run is final, and its bean has a proxy");
        } finally {
            CountingProxies.calls.clear();
        }
    }

    @Test
    void nothingIsRegistered_ofBeansWithoutAnnotation() {
        try (var context = start(String.class)) {
            assertThat(registry.all()).isEmpty();
        }
    }

    private void assertRefused(Class<?> bean, String... messageParts) {
        assertThatExceptionOfType(InvalidHandlerException.class)
                .as(bean.getSimpleName())
                .isThrownBy(() -> start(bean))
                .satisfies(refused -> assertThat(refused.getMessage()).contains(messageParts))
                .satisfies(refused -> assertThat(refused.action()).isNotBlank());
    }

    static class Orders {
        final List<String> calls = new ArrayList<>();

        @DelayedJob(
                name = "cancel",
                formerNames = "old-cancel",
                queue = "slow",
                concurrency = 3,
                scope = ConcurrencyScope.CLUSTER,
                rate = "100/s",
                burst = 20,
                timeout = "30s",
                maxSnooze = "2h",
                expiresAfter = "10m",
                keepFor = "P90D",
                mutex = "'order-' + #orderId",
                rateBy = "'order-' + #orderId",
                fairBy = "#orderId % 10",
                priority = 40,
                delivery = Delivery.AT_MOST_ONCE,
                retry = @Retry(gaps = {"10s", "1m"}))
        void cancel(long orderId) {
            calls.add("cancel " + orderId);
        }

        @DelayedJob
        protected void remind(String customer, List<Integer> orders, JobContext job) {
            calls.add("remind " + customer + " " + orders + " " + job.run());
        }

        @DelayedJob("ship")
        public Next ship(long orderId) {
            return Next.stop();
        }
    }

    static class NamedContext {
        @DelayedJob("x")
        void run(@JobArgument("job") JobContext context) {}
    }

    static class NamelessArgument {
        @DelayedJob("x")
        void run(@JobArgument(" ") long id) {}
    }

    static class SameArgument {
        @DelayedJob("x")
        void run(long id, @JobArgument("id") long other) {}
    }

    static class Greetings {
        @DelayedJob("greet")
        void greet(String name, @Nullable String nickname, Optional<String> title, Integer age, long id) {}
    }

    static class Async {
        @DelayedJob("async")
        CompletionStage<Next> run() {
            return CompletableFuture.completedFuture(Next.stop());
        }
    }

    static class SameName {
        @DelayedJob("async")
        void run() {}
    }

    static class Failing {
        @DelayedJob("checked")
        void checked() throws java.io.IOException {
            throw new java.io.IOException("gone");
        }

        @DelayedJob("error")
        void error() {
            throw new StackOverflowError();
        }
    }

    static class Placeholders {
        @DelayedJob(name = "${job.name}", timeout = "${job.timeout}", retry = @Retry(gaps = "${job.gap}"))
        void run() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DelayedJob(queue = "night")
    @interface Nightly {
        @org.springframework.core.annotation.AliasFor(annotation = DelayedJob.class, attribute = "name")
        String value();
    }

    static class MetaAnnotated {
        @Nightly("nightly")
        void run() {}
    }

    abstract static class Base<T> {
        final List<String> calls = new ArrayList<>();

        @DelayedJob("inherited")
        void inherited(int number) {
            calls.add("inherited " + number);
        }

        @DelayedJob("generic")
        void generic(T value) {
            calls.add("generic " + value);
        }

        @DelayedJob("overridden")
        void overridden(T value) {
            calls.add("overridden " + value);
        }
    }

    static class Concrete extends Base<String> {
        @Override
        void overridden(String value) {
            calls.add("overridden here " + value);
        }
    }

    static class PackagePrivate {
        private final List<Object> injected = new ArrayList<>();

        @DelayedJob("package-private")
        void packagePrivate(int number) {
            injected.add(number);
        }

        @DelayedJob("protected")
        protected void guarded(int number) {
            injected.add(number);
        }
    }

    static class InAnotherPackage extends io.delayjob.spring.other.HiddenMethod {}

    static class FinalMethod {
        @DelayedJob("final")
        final void run() {}
    }

    /** Puts a proxy before the beans of this test. */
    static class CountingProxies implements BeanPostProcessor {
        static final List<String> calls = new ArrayList<>();

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!Set.of(PackagePrivate.class, FinalMethod.class, InAnotherPackage.class)
                    .contains(bean.getClass())) {
                return bean;
            }
            ProxyFactory proxy = new ProxyFactory(bean);
            proxy.setProxyTargetClass(true);
            proxy.addAdvice((MethodInterceptor) call -> {
                calls.add(call.getMethod().getName());
                return call.proceed();
            });
            return proxy.getProxy(getClass().getClassLoader());
        }
    }

    @org.springframework.context.annotation.Lazy
    static class Lazy {
        static int made;

        Lazy() {
            made++;
        }

        @DelayedJob("lazy")
        void run() {}
    }

    @org.springframework.context.annotation.Scope("prototype")
    static class Prototype {
        static int made;

        Prototype() {
            made++;
        }

        @DelayedJob("prototype")
        void run() {}
    }

    static class GapsAndDelay {
        @DelayedJob(name = "x", retry = @Retry(gaps = "1s", delay = "2s"))
        void run() {}
    }

    static class BadTimeout {
        @DelayedJob(name = "x", timeout = "5 apples")
        void run() {}
    }

    static class BadConcurrency {
        @DelayedJob(name = "x", concurrency = -1)
        void run() {}
    }

    static class ScopeAlone {
        @DelayedJob(name = "x", scope = ConcurrencyScope.CLUSTER)
        void run() {}
    }

    static class BadRate {
        @DelayedJob(name = "x", rate = "100 a second")
        void run() {}
    }

    static class BurstAlone {
        @DelayedJob(name = "x", burst = 20)
        void run() {}
    }

    static class BadCron {
        @DelayedJob(name = "x", cron = "every night")
        void run() {}
    }

    static class BadZone {
        @DelayedJob(name = "x", cron = "0 0 3 * * *", zone = "Europe/Berlln")
        void run() {}
    }

    static class ZoneAlone {
        @DelayedJob(name = "x", every = "1m", zone = "Europe/Berlin")
        void run() {}
    }

    static class SwitchedOff {
        @DelayedJob(name = "purge", cron = "-", zone = "Europe/Berlin")
        void purge() {}

        @DelayedJob(name = "report", cron = "${report.cron:-}")
        void report() {}

        @DelayedJob(name = "measure", every = "${measure.every}")
        void measure() {}
    }

    static class CronAndEvery {
        @DelayedJob(name = "x", every = "1m", cron = "0 0 3 * * *")
        void run() {}
    }

    static class CronWithPayload {
        @DelayedJob(name = "x", every = "1m")
        void run(long id) {}
    }

    static class BadKey {
        @Deferred(name = "x", key = "#id +")
        void run(long id) {}
    }

    static class PrivateMethod {
        @DelayedJob("x")
        private void run() {}
    }

    static class StaticMethod {
        @DelayedJob("x")
        static void run() {}
    }

    static class ContextFirst {
        @DelayedJob("x")
        void run(JobContext job, long id) {}
    }

    static class ReturnsNumber {
        @DelayedJob("x")
        int run() {
            return 1;
        }
    }

    static class Both {
        @DelayedJob("x")
        @Deferred
        void run() {}
    }

    static class FinalDeferred {
        @Deferred(name = "x")
        final void run() {}
    }

    static class Locked {
        @DelayedJob("x")
        @SchedulerLock(name = "x")
        void run() {}
    }

    static class ScheduledTwice {
        @DelayedJob("x")
        @Scheduled(fixedRate = 1000)
        @Scheduled(cron = "0 0 3 * * *")
        void run() {}
    }

    static class AsyncMethod {
        @DelayedJob("x")
        @org.springframework.scheduling.annotation.Async
        void run() {}
    }

    static class AsyncStage {
        @DelayedJob("x")
        @org.springframework.scheduling.annotation.Async
        CompletionStage<Void> run() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class DeferredStage {
        @Deferred(name = "x")
        CompletionStage<Void> run() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
