package io.delayjob.test.autoconfigure;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.test.DelayJobTester;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

/** Virtual time passes in all stores: here the default one and {@code eu} in databases, and {@code fast} in memory. */
@SpringBootTest(
        classes = NamedStoresInVirtualTimeTest.Application.class,
        properties = {
            "spring.datasource.generate-unique-name=true",
            "delayjob.stores.eu.url=jdbc:h2:mem:virtual-eu",
            "delayjob.stores.fast.store=memory"
        })
@AutoConfigureDelayJobTest
class NamedStoresInVirtualTimeTest {

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private Application application;

    @Test
    void advance_runsTheJobsOfAllStores() {
        jobs.schedule(Application::remind).with("default").after(ofMinutes(30));
        jobs.in("eu").schedule(Application::remind).with("eu").after(ofDays(20));
        jobs.in("fast").schedule(Application::remind).with("fast").after(ofDays(1));
        assertThat(jobs.in("eu")).hasDelayed("remind");

        tester.advance(ofMinutes(30));
        assertThat(application.reminded).containsExactly("default");
        tester.advance(ofDays(20));

        assertThat(application.reminded).containsExactly("default", "fast", "eu");
        assertThat(jobs.in("eu")).hasNoDelayed("remind");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        final List<String> reminded = new CopyOnWriteArrayList<>();

        @DelayedJob("remind")
        public void remind(String who) {
            reminded.add(who);
        }
    }
}
