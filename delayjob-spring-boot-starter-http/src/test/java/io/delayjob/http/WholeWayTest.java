package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import io.delayjob.DelayJobOperations;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Answer;
import io.delayjob.http.Receiver.Received;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.spring.AnswerTickets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A whole application on H2, in real time: scheduled, put off, refused, accepted, answered by another instance, done.
 */
class WholeWayTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        final BlockingQueue<JobOutcome> ends = new LinkedBlockingQueue<>();

        @Bean
        JobListener ends() {
            return new JobListener() {
                @Override
                public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                    ends.add(outcome);
                }
            };
        }
    }

    private static ConfigurableApplicationContext shop(Receiver receiver) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.datasource.url=jdbc:h2:mem:whole-way;DB_CLOSE_DELAY=-1",
                        "spring.main.banner-mode=off",
                        "delayjob.answers.secret=" + SECRET,
                        "delayjob.answers.url=https://shop.example.com/answers",
                        "delayjob.targets.exports.retry.delay=10ms",
                        "delayjob.targets.exports.http.url=" + receiver.url(),
                        "delayjob.targets.exports.http.insecure=true",
                        "delayjob.targets.exports.http.secret=" + SECRET,
                        "delayjob.targets.exports.http.answer-within=1h")
                .run();
    }

    @Test
    void job_isCalledAgainUntilItIsAccepted_andAnsweredByAnotherInstance() throws Exception {
        try (Receiver receiver = new Receiver();
                ConfigurableApplicationContext other = shop(receiver)) {
            receiver.answers(503, "Retry-After", "1").answers(500).answers(202);
            DelayJobOperations jobs = other.getBean(DelayJobOperations.class);
            Received accepted;
            io.delayjob.job.JobId id;
            try (ConfigurableApplicationContext caller = shop(receiver)) {
                id = caller.getBean(DelayJobOperations.class)
                        .schedule("exports")
                        .with(Map.of("path", "/start", "body", Map.of("month", "2026-11")))
                        .now()
                        .id();
                Received first = receiver.next();
                Received second = receiver.next();
                accepted = receiver.next();
                new Webhook(SECRET).verify(accepted.body(), accepted.headers());
                assertThat(accepted.uri().toString()).isEqualTo("/start");
                assertThat(accepted.header("webhook-id"))
                        .isEqualTo(first.header("webhook-id"))
                        .isEqualTo(second.header("webhook-id"));
                awaitParked(caller, other);
            }
            assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.AWAITING);
            String address = accepted.header("delayjob-answer-to");
            AnswerTickets tickets = other.getBean(AnswerTickets.class);
            assertThat(jobs.answer(tickets.read(address.substring(address.lastIndexOf('/') + 1)), Answer.done()))
                    .isEqualTo(AnswerResult.TAKEN);
            assertThat(jobs.find(id)).get().extracting(Job::state).isEqualTo(JobState.FINISHED);
            assertThat(receiver.waiting()).isZero();
        }
    }

    /** Either instance may have made an attempt. */
    private static void awaitParked(ConfigurableApplicationContext... shops) throws InterruptedException {
        for (int looks = 0; looks < 1000; looks++) {
            for (ConfigurableApplicationContext shop : shops) {
                JobOutcome end = shop.getBean(Shop.class).ends.poll(10, TimeUnit.MILLISECONDS);
                if (end instanceof JobOutcome.Awaited) {
                    return;
                }
            }
        }
        throw new AssertionError("The accepted attempt has not ended.");
    }
}
