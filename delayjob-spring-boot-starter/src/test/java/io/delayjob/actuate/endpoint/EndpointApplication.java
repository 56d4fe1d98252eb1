package io.delayjob.actuate.endpoint;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.event.JobListener;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** An application whose endpoint is under test. Who may call it is Spring Security's business, so anybody may here. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class EndpointApplication {

    @Bean
    SecurityFilterChain everybody(HttpSecurity http) throws Exception {
        return http.csrf(csrf -> csrf.disable())
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @Bean
    Orders orders() {
        return new Orders();
    }

    @Bean
    Ends ends() {
        return new Ends();
    }

    static class Orders {
        volatile boolean fails = true;

        @DelayedJob(
                name = "cancel-order",
                formerNames = "drop-order",
                timeout = "30s",
                concurrency = 2,
                scope = ConcurrencyScope.CLUSTER,
                rate = "5000/s")
        void cancel(long orderId) {
            if (fails) {
                throw new IllegalStateException("order " + orderId + " is locked");
            }
        }

        final CountDownLatch counted = new CountDownLatch(1);

        @DelayedJob(name = "count-orders")
        Next count(JobContext job) throws InterruptedException {
            job.progress(40, 100, "January");
            job.log("read January");
            counted.await();
            return Next.done(Map.of("orders", 100));
        }

        @DelayedJob(name = "fragile", retry = @Retry(maxRetries = 0))
        void fragile(long orderId) {
            cancel(orderId);
        }
    }

    /** Waits for the ends of jobs. */
    static class Ends implements JobListener {
        private final Map<JobId, CompletableFuture<Transition>> ends = new ConcurrentHashMap<>();

        @Override
        public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
            of(job.id()).complete(next);
        }

        private CompletableFuture<Transition> of(JobId id) {
            return ends.computeIfAbsent(id, unended -> new CompletableFuture<>());
        }

        void await(JobId id) throws Exception {
            of(id).get(30, TimeUnit.SECONDS);
            ends.remove(id);
        }
    }
}
