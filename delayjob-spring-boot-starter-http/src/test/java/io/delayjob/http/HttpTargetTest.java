package io.delayjob.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Answer;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.http.Receiver.Received;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.test.DelayJobTester;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a target sends, and what an answer means for its job. */
class HttpTargetTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    private final Receiver receiver = new Receiver();

    @AfterEach
    void close() {
        receiver.close();
    }

    private ApplicationContextRunner billing(String... properties) {
        ApplicationContextRunner contexts = VirtualEngine.contexts()
                .withPropertyValues(
                        "delayjob.targets.billing.http.url=" + receiver.url() + "/api",
                        "delayjob.targets.billing.http.insecure=true");
        for (String property : properties) {
            contexts = contexts.withPropertyValues("delayjob.targets.billing." + property);
        }
        return contexts;
    }

    /** Schedules a job, lets its first attempt come, and returns it as it is then. */
    private static Job called(DelayJobTester tester, Map<String, ?> arguments) {
        tester.tolerateFailures();
        JobId id = tester.operations().schedule("billing").with(arguments).now().id();
        tester.runDue();
        return tester.operations().find(id).orElseThrow();
    }

    @Test
    void call_hasPathHeadersAndBody() {
        billing("http.allowed-headers=X-Tenant", "http.headers[X-Api-Key]=k", "http.url=" + receiver.url() + "/api?v=1")
                .run(context -> {
                    Job job = called(
                            context.getBean(DelayJobTester.class),
                            Map.of(
                                    "path", "/remind/grün",
                                    "headers", Map.of("x-tenant", "a b"),
                                    "body", Map.of("price", new java.math.BigDecimal("0.123456789012345678901"))));
                    assertThat(job.state()).isEqualTo(JobState.FINISHED);
                    Received received = receiver.next();
                    assertThat(received.method()).isEqualTo("POST");
                    assertThat(received.uri().toString()).isEqualTo("/api/remind/gr%C3%BCn?v=1");
                    assertThat(received.body()).isEqualTo("{\"price\":0.123456789012345678901}");
                    assertThat(received.header("Content-Type")).isEqualTo("application/json");
                    assertThat(received.header("x-tenant")).isEqualTo("a b");
                    assertThat(received.header("x-api-key")).isEqualTo("k");
                    assertThat(received.header("Idempotency-Key"))
                            .isEqualTo("\"" + received.header("webhook-id") + "\"");
                    assertThat(received.header("webhook-id")).matches(job.id() + ":1:[0-9a-z]+");
                    assertThat(received.header("delayjob-attempt")).isEqualTo("1");
                    assertThat(received.header("webhook-signature")).isNull();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "put", "PATCH", "DELETE", "GET"})
    void method_isTheConfiguredMethod(String method) {
        billing("http.method=" + method).run(context -> {
            called(context.getBean(DelayJobTester.class), Map.of());
            Received received = receiver.next();
            assertThat(received.method()).isEqualToIgnoringCase(method);
            assertThat(received.uri().toString()).isEqualTo("/api");
            assertThat(received.body()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "200, FINISHED",
        "201, FINISHED",
        "202, FINISHED",
        "204, FINISHED",
        "299, FINISHED",
        "300, FAILED",
        "301, FAILED",
        "302, FAILED",
        "303, FAILED",
        "304, FAILED",
        "307, FAILED",
        "308, FAILED",
        "400, FAILED",
        "401, FAILED",
        "403, FAILED",
        "404, FAILED",
        "405, FAILED",
        "409, FAILED",
        "410, FAILED",
        "413, FAILED",
        "415, FAILED",
        "422, FAILED",
        "451, FAILED",
        "499, FAILED",
        "408, DELAYED",
        "425, DELAYED",
        "429, DELAYED",
        "500, DELAYED",
        "501, DELAYED",
        "502, DELAYED",
        "503, DELAYED",
        "504, DELAYED",
        "507, DELAYED",
        "599, DELAYED"
    })
    void status_decidesWhetherTheJobEndsOrIsRetried(int status, JobState state) {
        billing("retry.delay=10s").run(context -> {
            receiver.answers(status);
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            Job job = called(tester, Map.of());
            assertThat(job.state()).isEqualTo(state);
            if (state == JobState.DELAYED) {
                assertThat(job.failures()).isEqualTo(1);
                assertThat(Duration.between(tester.now(), job.dueAt()))
                        .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
                receiver.answers(200);
                tester.advance(Duration.ofSeconds(10));
                assertThat(tester.operations().find(job.id()).orElseThrow().state())
                        .isEqualTo(JobState.FINISHED);
                String id = receiver.next().header("webhook-id");
                Received again = receiver.next();
                assertThat(again.header("webhook-id")).isEqualTo(id);
                assertThat(again.header("delayjob-attempt")).isEqualTo("2");
            } else {
                assertThat(job.attempt()).isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void retryAfter_putsTheRunOff_withoutAFailure(int status) {
        billing("retry.delay=1s").run(context -> {
            receiver.answers(status, "Retry-After", "30");
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            Job job = called(tester, Map.of());
            assertThat(job.state()).isEqualTo(JobState.DELAYED);
            assertThat(job.failures()).isZero();
            assertThat(Duration.between(tester.now(), job.dueAt()))
                    .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(33));
        });
    }

    @Test
    void retryAfter_keepsOtherJobsOfTheTargetFromCallingIt_forThatTime() {
        billing().run(context -> {
            receiver.answers(429, "Retry-After", "30");
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            called(tester, Map.of());
            assertThat(receiver.next()).isNotNull();

            JobId other = tester.operations().schedule("billing").now().id();
            tester.advance(Duration.ofMillis(29_999));
            assertThat(receiver.waiting()).isZero();
            tester.advance(Duration.ofMillis(1));

            assertThat(receiver.waiting()).isEqualTo(1);
            assertThat(tester.operations().find(other))
                    .hasValueSatisfying(job -> assertThat(job.state()).isEqualTo(JobState.FINISHED));
        });
    }

    @Test
    void retryAfterAsADate_countsFromStoreTime() {
        billing().run(context -> {
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    tester.now().plusSeconds(60).atOffset(ZoneOffset.UTC));
            receiver.answers(503, "Retry-After", date);
            Job job = called(tester, Map.of());
            assertThat(job.failures()).isZero();
            assertThat(Duration.between(tester.now(), job.dueAt()))
                    .isBetween(Duration.ofSeconds(59), Duration.ofSeconds(67));
        });
    }

    @Test
    void retryAfterLongerThanMaxSnooze_isAFailure() {
        VirtualEngine.contexts()
                .withPropertyValues(
                        "delayjob.max-snooze=1h",
                        "delayjob.targets.billing.http.url=" + receiver.url(),
                        "delayjob.targets.billing.http.insecure=true")
                .run(context -> {
                    receiver.answers(503, "Retry-After", "7200");
                    Job job = called(context.getBean(DelayJobTester.class), Map.of());
                    assertThat(job.failures()).isEqualTo(1);
                });
    }

    @Test
    void retryAfterOfAnyOtherStatus_isIgnored() {
        billing("retry.delay=10s").run(context -> {
            receiver.answers(500, "Retry-After", "3600");
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            Job job = called(tester, Map.of());
            assertThat(job.failures()).isEqualTo(1);
            assertThat(Duration.between(tester.now(), job.dueAt())).isLessThanOrEqualTo(Duration.ofSeconds(10));
        });
    }

    @Test
    void redirect_isNotFollowed() {
        try (Receiver elsewhere = new Receiver()) {
            billing("http.method=GET").run(context -> {
                receiver.answers(302, "Location", elsewhere.url() + "/secret");
                Job job = called(context.getBean(DelayJobTester.class), Map.of());
                assertThat(job.state()).isEqualTo(JobState.FAILED);
                assertThat(elsewhere.waiting()).isZero();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"200, FINISHED", "400, FAILED", "500, DELAYED"})
    void endlessBody_isNotReadToItsEnd(int status, JobState state) {
        billing("http.read-timeout=60s").run(context -> {
            receiver.answersEndlessly(status);
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            assertThat(job.state()).isEqualTo(state);
            if (job.failure() != null) {
                assertThat(job.failure().message()).hasSizeLessThan(1200).contains("again and again");
            }
        });
    }

    @Test
    void silence_isAFailureAfterTheReadTimeout() {
        CountDownLatch over = new CountDownLatch(1);
        billing("http.read-timeout=100ms", "retry.max-retries=0").run(context -> {
            receiver.answers(exchange -> awaitQuietly(over));
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            over.countDown();
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().message()).isEqualTo("Target 'billing' could not be called: HttpTimeoutException");
        });
    }

    @Test
    void bodyThatStopsHalfway_doesNotMatter_becauseTheStatusDecides() {
        CountDownLatch over = new CountDownLatch(1);
        // The time also contains the connection and the head of the response.
        billing("http.read-timeout=5s").run(context -> {
            receiver.answers(exchange -> {
                exchange.sendResponseHeaders(422, 1000);
                exchange.getResponseBody().write("half".getBytes());
                exchange.getResponseBody().flush();
                awaitQuietly(over);
            });
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            over.countDown();
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().message()).startsWith("Target 'billing' answered 422");
        });
    }

    @Test
    void bodyThatBreaksOff_doesNotMatter_becauseTheStatusDecides() {
        billing().run(context -> {
            receiver.answers(exchange -> {
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write("half".getBytes());
                exchange.getResponseBody().flush();
                throw new IOException("cut");
            });
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            assertThat(job.state()).isEqualTo(JobState.FINISHED);
        });
    }

    @Test
    void connectionThatIsCutBeforeTheStatus_isAFailure() {
        billing().run(context -> {
            receiver.answers(exchange -> {
                throw new IOException("cut");
            });
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            assertThat(job.failures()).isEqualTo(1);
        });
    }

    @Test
    void failedCall_keepsTheMessageOfItsCause() {
        billing("retry.max-retries=0").run(context -> {
            receiver.answers(exchange -> {
                throw new IOException("cut");
            });
            Job job = called(context.getBean(DelayJobTester.class), Map.of());
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().stackTrace()).contains("EOF reached while reading");
        });
    }

    @Test
    void missingReceiver_isAFailure_thatDoesNotShowTheUrl() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        VirtualEngine.contexts()
                .withPropertyValues(
                        "delayjob.targets.billing.http.url=http://localhost:" + free + "/hidden",
                        "delayjob.targets.billing.retry.max-retries=0",
                        "delayjob.targets.billing.http.insecure=true")
                .run(context -> {
                    Job job = called(context.getBean(DelayJobTester.class), Map.of("path", "/private"));
                    assertThat(job.state()).isEqualTo(JobState.FAILED);
                    assertThat(job.failure().message())
                            .isEqualTo("Target 'billing' could not be called: ConnectException");
                    assertThat(job.failure().toString()).doesNotContain("hidden", "private", String.valueOf(free));
                });
    }

    @Test
    void signature_isVerifiedByTheReferenceLibrary_overAttempts() throws Exception {
        billing("http.secret=" + SECRET, "retry.delay=10s").run(context -> {
            receiver.answers(500);
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            called(tester, Map.of("body", Map.of("name", "Grüße 😀", "n", 1.50)));
            tester.advance(Duration.ofSeconds(10));
            Received first = receiver.next();
            Received second = receiver.next();
            new Webhook(SECRET).verify(first.body(), first.headers());
            new Webhook(SECRET).verify(second.body(), second.headers());
            assertThat(second.header("webhook-timestamp")).isGreaterThan(first.header("webhook-timestamp"));
            assertThatThrownBy(() -> new Webhook(OTHER_SECRET).verify(first.body(), first.headers()))
                    .isInstanceOf(WebhookVerificationException.class);
            assertThatThrownBy(() -> new Webhook(SECRET).verify(first.body() + " ", first.headers()))
                    .isInstanceOf(WebhookVerificationException.class);
        });
    }

    @Test
    void bothSecretsVerify_whileTheSecretIsChanged_evenWithoutABody() {
        billing("http.secret=" + SECRET, "http.previous-secret=" + OTHER_SECRET).run(context -> {
            called(context.getBean(DelayJobTester.class), Map.of());
            Received received = receiver.next();
            assertThat(received.header("webhook-signature").split(" ")).hasSize(2);
            new Webhook(SECRET).verify(received.body(), received.headers());
            new Webhook(OTHER_SECRET).verify(received.body(), received.headers());
        });
    }

    @Test
    void forbiddenArguments_areRefusedWhenTheJobIsScheduled() {
        billing("http.allowed-headers=X-Tenant").run(context -> {
            DelayJobOperations jobs = context.getBean(DelayJobOperations.class);
            assertThatThrownBy(() -> jobs.schedule("billing")
                            .with(Map.of("path", "/../admin"))
                            .now())
                    .isInstanceOf(InvalidPayloadException.class)
                    .hasMessage(
                            "Invalid arguments for handler 'billing': the path must not hold a segment of dots, such as"
                                    + " '..'.");
            assertThatThrownBy(() -> jobs.schedule("billing")
                            .with(Map.of("headers", Map.of("Authorization", "me")))
                            .now())
                    .hasMessageContaining("a header is not allowed by the target, which allows only x-tenant");
            assertThatThrownBy(() -> jobs.schedule("billing")
                            .with(Map.of("headers", Map.of("x-tenant", "a\r\nHost: b")))
                            .now())
                    .hasMessageContaining("printable ASCII");
            assertThatThrownBy(() -> jobs.schedule("billing")
                            .with(Map.of("url", "http://169.254.169.254/"))
                            .now())
                    .hasMessageContaining("Invalid argument names [url]");
            assertThat(receiver.waiting()).isZero();
        });
    }

    /** As when it was scheduled by an application that does not know the target. */
    @Test
    void storedJobWithARefusedPath_fails_withoutACall() {
        billing("http.allowed-headers=X-Tenant").run(context -> {
            HttpTarget target = HttpTargets.of(context, "billing");
            assertThatThrownBy(() -> target.handle(java.util.Arrays.asList("/a/%2e%2e/b", null, null), null))
                    .isInstanceOf(io.delayjob.target.RefusedByTargetException.class)
                    .hasMessageStartingWith(
                            "Target 'billing' was not called: the path must not hold a segment of dots");
            assertThat(receiver.waiting()).isZero();
        });
    }

    @Test
    void acceptedCall_awaitsTheAnswer_whichEndsTheJob() {
        answering().run(context -> {
            receiver.answers(202);
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            Job job = called(tester, Map.of());
            assertThat(job.state()).isEqualTo(JobState.AWAITING);
            String address = receiver.next().header("delayjob-answer-to");
            assertThat(address).startsWith("https://shop.example.com/answers/");
            AnswerTickets tickets = context.getBean(AnswerTickets.class);
            AnswerTicket ticket = tickets.read(address.substring(address.lastIndexOf('/') + 1));
            tester.advance(Duration.ofMinutes(50));
            assertThat(tester.operations().answer(ticket, Answer.done())).isEqualTo(AnswerResult.TAKEN);
            assertThat(tester.operations().find(job.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
            assertThat(tester.operations().answer(ticket, Answer.done())).isEqualTo(AnswerResult.NOT_AWAITED);
            assertThat(receiver.waiting()).isZero();
        });
    }

    @Test
    void acceptedCallWithoutAnAnswer_isRepeated() {
        answering().run(context -> {
            receiver.answers(202).answers(200);
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            Job job = called(tester, Map.of());
            tester.advance(Duration.ofHours(1).plusSeconds(10));
            assertThat(tester.operations().find(job.id()).orElseThrow().state()).isEqualTo(JobState.FINISHED);
            Received first = receiver.next();
            Received second = receiver.next();
            assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id"));
            assertThat(second.header("delayjob-answer-to")).isNotEqualTo(first.header("delayjob-answer-to"));
        });
    }

    @Test
    void callThatIsDoneAtOnce_needsNoAnswer() {
        answering().run(context -> {
            receiver.answers(200);
            assertThat(called(context.getBean(DelayJobTester.class), Map.of()).state())
                    .isEqualTo(JobState.FINISHED);
        });
    }

    private ApplicationContextRunner answering() {
        return billing("http.answer-within=1h", "retry.delay=10s")
                .withPropertyValues(
                        "delayjob.answers.secret=" + SECRET, "delayjob.answers.url=https://shop.example.com/answers");
    }

    @Test
    void answerWithinWithoutAnAddress_stopsTheStart() {
        billing("http.answer-within=1h")
                .withPropertyValues("delayjob.answers.secret=" + SECRET)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("set delayjob.answers.secret and delayjob.answers.url"));
    }

    /**
     * The receiver would take the new content for a repetition, because the runs of a replaced job count from 1 again.
     */
    @Test
    void replacedJob_sendsAnotherMessage() {
        billing("retry.delay=10s").run(context -> {
            receiver.answers(500);
            DelayJobTester tester = context.getBean(DelayJobTester.class);
            tester.tolerateFailures();
            DelayJobOperations jobs = tester.operations();
            jobs.schedule("billing").with(Map.of("body", 1)).key("a").now();
            tester.advance(Duration.ofSeconds(1));
            jobs.schedule("billing")
                    .with(Map.of("body", 2))
                    .key("a", OnExisting.REPLACE)
                    .now();
            tester.advance(Duration.ofSeconds(1));
            Received first = receiver.next();
            Received second = receiver.next();
            assertThat(second.body()).isEqualTo("2");
            assertThat(second.header("webhook-id")).isNotEqualTo(first.header("webhook-id"));
        });
    }

    @Test
    void getWithABody_isRefused() {
        billing("http.method=GET")
                .run(context -> assertThatThrownBy(() -> context.getBean(DelayJobOperations.class)
                                .schedule("billing")
                                .with(Map.of("body", 1))
                                .now())
                        .hasMessageContaining("a GET call has no body"));
    }

    private static void awaitQuietly(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }
}
