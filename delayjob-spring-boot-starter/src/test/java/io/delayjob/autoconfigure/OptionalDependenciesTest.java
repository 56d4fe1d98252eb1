package io.delayjob.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/**
 * Libraries that an application need not have. Spring Boot itself decides what to configure, as it does in an
 * application. (That it can do without actuator, health and metrics altogether shows in
 * delayjob-spring-boot-starter-test, which has none.)
 */
class OptionalDependenciesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.micrometer.core",
                "io.micrometer.observation",
                "io.micrometer.tracing",
                "org.aspectj",
                "org.springframework.web",
                "org.springframework.security"
            })
    void jobs_runWithout(String missing) {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class, Work.class)
                .withClassLoader(new FilteredClassLoader(missing))
                .withPropertyValues(
                        "spring.datasource.generate-unique-name=true",
                        "spring.main.web-application-type=none",
                        "management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(DelayJobOperations.class)
                            .schedule(Work::work)
                            .now();
                    context.getBean(Work.class).workLater();
                    assertThat(context.getBean(Work.class).await()).isTrue();
                });
    }

    /** So all tests of deferred calls, of retries, transactions and method security around them do without it. */
    @Test
    void aspectJ_isNotEvenOnTheClassPath() {
        assertThat(ClassUtils.isPresent("org.aspectj.lang.annotation.Aspect", null))
                .isFalse();
        assertThat(ClassUtils.isPresent("org.aspectj.weaver.Advice", null)).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Public, with its methods: its proxy comes from the class loader that leaves something out. */
    public static class Work {
        private final CountDownLatch done = new CountDownLatch(2);

        /** Not final: it is called through the bean's proxy. */
        public boolean await() throws InterruptedException {
            return done.await(30, TimeUnit.SECONDS);
        }

        @DelayedJob("work")
        public void work() {
            done.countDown();
        }

        @Deferred(name = "work-later")
        public void workLater() {
            done.countDown();
        }
    }
}
