package io.delayjob.autoconfigure.restart;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.Deferred;
import io.delayjob.annotation.DelayedJob;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a developer works on: its classes come from another loader after each restart. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class RestartedApplication {

    /** Starts it, runs jobs, and closes it. */
    public static void run(String url) throws InterruptedException {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(RestartedApplication.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=" + url,
                        "delayjob.jdbc.initialize-schema=always",
                        "spring.main.banner-mode=off",
                        "spring.jmx.enabled=false",
                        "spring.main.register-shutdown-hook=false",
                        "logging.level.root=warn")
                .run()) {
            Tasks tasks = context.getBean(Tasks.class);
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            jobs.schedule(Tasks::work).with(new Parcel("by reference")).now();
            tasks.later(new Parcel("by a call"));
            jobs.schedule(Tasks::work)
                    .with(new Parcel("for the next start"))
                    .key("next")
                    .after(Duration.ofHours(1));
            tasks.await();
        }
    }

    @Bean
    Tasks tasks() {
        return new Tasks();
    }

    record Parcel(String content) {}

    public static class Tasks {
        private final CountDownLatch done = new CountDownLatch(2);

        /** Fails if its jobs do not run. */
        public void await() throws InterruptedException {
            if (!done.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("Jobs that did not run: " + done.getCount());
            }
        }

        @DelayedJob("work")
        void work(Parcel parcel) {
            done.countDown();
        }

        @Deferred(name = "later")
        public void later(Parcel parcel) {
            done.countDown();
        }
    }
}
