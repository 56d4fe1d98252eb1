package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.delayjob.DelayJobOperations;
import io.delayjob.MethodReference;
import io.delayjob.ScheduleWatch;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.JobContext;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.LambdaHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.javapoet.ClassName;

/**
 * What a native image is told to keep. (That an application starts from what is generated for it, the samples show with
 * theirs.)
 */
class AheadOfTimeTest {

    private static RuntimeHints hints;

    @BeforeAll
    static void process() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        TestPropertyValues.of(
                        "spring.datasource.generate-unique-name=true",
                        "spring.main.web-application-type=none",
                        "management.endpoints.web.exposure.include=*",
                        "management.endpoints.jmx.exposure.include=delayjobs")
                .applyTo(context);
        context.register(Application.class);
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(Application.class)), new InMemoryGeneratedFiles());
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        hints = generation.getRuntimeHints();
    }

    @Test
    void handlers_canBeCalled() throws Exception {
        assertThat(reflection()
                        .onMethodInvocation(Shop.class.getDeclaredMethod("cancel", Order.class, JobContext.class)))
                .accepts(hints);
        assertThat(reflection().onMethodInvocation(Shop.class.getDeclaredMethod("mail", List.class)))
                .accepts(hints);
    }

    @Test
    void payloads_canBeWrittenAndRead() {
        for (Class<?> payload : List.of(Order.class, Line.class, Mail.class)) {
            assertThat(reflection().onConstructorInvocation(payload.getDeclaredConstructors()[0]))
                    .as("constructor of %s", payload)
                    .accepts(hints);
            assertThat(reflection().onMethodInvocation(payload.getRecordComponents()[0].getAccessor()))
                    .as("a getter of %s", payload)
                    .accepts(hints);
        }
    }

    /** Kotlin's compiler writes such a method beside a function with default arguments. */
    @Test
    void defaultArguments_canBeFilledIn() throws Exception {
        assertThat(reflection().onMethodInvocation(Invoices.class.getDeclaredMethod("bill$default")))
                .accepts(hints);
    }

    @Test
    void bodiesOfTheEndpoint_canBeWritten() throws Exception {
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AssignableTypeFilter(OperationResponseBody.class));
        Set<BeanDefinition> bodies = scan.findCandidateComponents("io.delayjob.actuate.endpoint");
        assertThat(bodies).hasSizeGreaterThan(20);
        for (BeanDefinition body : bodies) {
            Class<?> type = Class.forName(body.getBeanClassName());
            assertThat(reflection().onMethodInvocation(type.getRecordComponents()[0].getAccessor()))
                    .as("a getter of %s", type)
                    .accepts(hints);
        }
    }

    @Test
    void contexts_areNoPayloads() {
        assertThat(hints.reflection().getTypeHint(JobContext.class)).isNull();
    }

    @Test
    void scripts_areKept() {
        for (String platform : List.of("h2", "mariadb", "mysql", "postgresql")) {
            assertThat(resource().forResource("io/delayjob/jdbc/schema-%s.sql".formatted(platform)))
                    .accepts(hints);
        }
    }

    @Test
    void measuredStores_areProxies() {
        assertThat(proxies().forInterfaces(JobStore.class)).accepts(hints);
        assertThat(proxies().forInterfaces(InstanceStore.class)).accepts(hints);
    }

    @Test
    void watchedSteps_areProxies() {
        assertThat(ScheduleWatch.STEPS)
                .hasSize(10)
                .allSatisfy(step -> assertThat(proxies().forInterfaces(step)).accepts(hints));
    }

    @Test
    void methodReferences_canBeRead() {
        assertThat(hints.reflection().lambdaHints())
                .filteredOn(lambda -> lambda.getDeclaringClass().equals(TypeReference.of(Shop.class)))
                .flatExtracting(LambdaHint::getInterfaces)
                .contains(
                        TypeReference.of(MethodReference.OnePayload.class),
                        TypeReference.of(MethodReference.PayloadAndContext.class));
        assertThat(hints.reflection().lambdaHints())
                .extracting(LambdaHint::getDeclaringClass)
                .doesNotContain(TypeReference.of(Application.class));
    }

    @Test
    void methodReferencesOfSuperclasses_canBeReadToo() {
        assertThat(hints.reflection().lambdaHints())
                .extracting(LambdaHint::getDeclaringClass)
                .contains(TypeReference.of(Shop.class), TypeReference.of(Returns.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Shop.class, Invoices.class})
    static class Application {}

    abstract static class Returns {
        final DelayJobOperations jobs;

        Returns(DelayJobOperations jobs) {
            this.jobs = jobs;
        }

        void takeBack(Order order) {
            jobs.schedule(Shop::cancel).with(order).now();
        }
    }

    static class Shop extends Returns {
        Shop(DelayJobOperations jobs) {
            super(jobs);
        }

        void order(Order order) {
            jobs.schedule(Shop::cancel).with(order).now();
        }

        @DelayedJob("cancel")
        void cancel(Order order, JobContext job) {}

        @Deferred(name = "mail")
        void mail(List<Mail> mails) {}
    }

    static class Invoices {
        @DelayedJob("bill")
        void bill(long orderId) {}

        static void bill$default() {}
    }

    record Order(long id, List<Line> lines) {}

    record Line(String article) {}

    record Mail(String to) {}
}
