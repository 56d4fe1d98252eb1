package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.job.AttemptRecord;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.store.JobQuery;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests failures, retries and dead letters. */
class FailureInVirtualTimeTest {

    private static final JobHandler FAILS = (arguments, job) -> {
        throw new IOException("shop.example answers 503");
    };

    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    private final MemoryJobStore store = new MemoryJobStore(time.clock()::storeMicros);
    private final List<String> fenced = new ArrayList<>();
    private final DelayJobTester tester = DelayJobTester.builder()
            .time(time)
            .store(store)
            .listener(new JobListener() {
                @Override
                public void fenced(Job job) {
                    fenced.add(job.name());
                }
            })
            .build();
    private final Instant start = tester.now();
    private final Calls calls = new Calls(tester);

    @Test
    void job_isRetriedByItsPolicyAndFailsAfterTheLast() {
        tester.register(calls.with(webhook(ofSeconds(10), ofMinutes(1), ofMinutes(10), ofHours(1)), FAILS));
        JobId id = tester.operations().schedule("webhook").key("hook-1").now().id();

        tester.advance(ofDays(1));

        assertThat(calls.after(start))
                .containsExactly(
                        Duration.ZERO,
                        ofSeconds(10),
                        ofSeconds(70),
                        ofSeconds(670),
                        ofSeconds(670).plusHours(1));
        assertThat(calls.all()).extracting(Calls.Call::attempt).containsExactly(1, 2, 3, 4, 5);
        assertThat(tester).hasFailed("webhook").once().withKey("hook-1").withError("shop.example answers 503");
        assertThat(tester).hasNoDelayed("webhook");
        assertThat(store.attempts(id, 10))
                .hasSize(5)
                .extracting(AttemptRecord::failure)
                .extracting(Failure::type)
                .containsOnly("java.io.IOException");
    }

    @Test
    void deadLetter_isRetriedByHand_andMayFailAsOftenAgain() {
        boolean[] healthy = {false};
        tester.register(calls.with(webhook(ofSeconds(10)), (arguments, job) -> {
            if (!healthy[0]) {
                throw new IOException("shop.example answers 503");
            }
            return null;
        }));
        JobId id = tester.operations().schedule("webhook").now().id();
        tester.advance(ofHours(1));
        assertThat(tester).hasFailed("webhook");

        assertThat(tester.operations().retry(id)).isEqualTo(ChangeResult.CHANGED);
        tester.advance(ofHours(1));
        assertThat(calls.after(start))
                .containsExactly(
                        Duration.ZERO, ofSeconds(10), ofHours(1), ofHours(1).plusSeconds(10));
        assertThat(calls.all()).extracting(Calls.Call::attempt).containsExactly(1, 2, 3, 4);
        assertThat(tester).hasFailed("webhook").once();

        healthy[0] = true;
        tester.operations().retry(id);
        tester.runDue();
        assertThat(tester).hasNoFailed("webhook");
        assertThat(tester.operations().find(JobQuery.state(JobState.FINISHED))).hasSize(1);
        assertThat(tester.operations().retry(id)).isEqualTo(ChangeResult.ALREADY_ENDED);
    }

    @Test
    void deadLetterOfASequence_isRetriedAtItsRun_andContinues() {
        boolean[] healthy = {false};
        tester.register(calls.with(webhook(ofSeconds(1)), (arguments, job) -> {
            if (job.run() == 2 && !healthy[0]) {
                throw new IOException("down");
            }
            return null;
        }));
        JobId id = tester.operations()
                .schedule("webhook")
                .repeat(Repeat.finite(ofMinutes(1), ofMinutes(2), ofMinutes(3)))
                .id();
        tester.advance(ofDays(7));
        assertThat(tester).hasFailed("webhook").atRun(2);

        healthy[0] = true;
        tester.operations().retry(id);
        tester.advance(ofDays(1));

        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2, 2, 2, 3);
        assertThat(calls.after(start).subList(3, 5))
                .containsExactly(ofDays(7), ofDays(7).plusMinutes(3));
    }

    @Test
    void endlessRepeat_recordsAFailedRunAndGoesOn() {
        tester.register(calls.with(webhook(ofMinutes(1)), (arguments, job) -> {
            if (job.run() == 2) {
                throw new IOException("one bad night");
            }
            return null;
        }));
        JobId id = tester.operations()
                .schedule("webhook")
                .repeat(Repeat.every(ofHours(1)))
                .id();

        tester.advance(ofHours(4));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofHours(2), ofMinutes(121), ofHours(3), ofHours(4));
        assertThat(calls.all()).extracting(Calls.Call::run).containsExactly(1, 2, 2, 3, 4);
        assertThat(store.attempts(id, 10))
                .extracting(line -> line.run() + "/" + line.attempt() + " " + line.outcome())
                .containsExactly("2/3 FAILED", "2/2 FAILED");
    }

    @Test
    void retry_shiftsNoLaterRun() {
        tester.register(calls.with(webhook(ofMinutes(7)), (arguments, job) -> {
            if (job.run() == 1 && job.failures() == 0) {
                throw new IOException("down");
            }
            return null;
        }));
        tester.operations().schedule("webhook").repeat(Repeat.every(ofHours(1)));

        tester.advance(ofHours(3));

        assertThat(calls.after(start)).containsExactly(ofHours(1), ofMinutes(67), ofHours(2), ofHours(3));
    }

    @Test
    void exceptionsThatThePolicyExcludes_failAtOnce() {
        tester.register(calls.with(
                Handler.named("webhook").retry(RetryPolicy.gaps(ofSeconds(10)).excludes(FileNotFoundException.class)),
                (arguments, job) -> {
                    throw new FileNotFoundException("gone");
                }));
        tester.operations().schedule("webhook").now();

        tester.runDue();

        assertThat(tester).hasFailed("webhook").withError("gone");
        assertThat(calls.count()).isEqualTo(1);
    }

    @Test
    void policyOfTheJob_overridesThePolicyOfTheHandler() {
        tester.register(calls.with(webhook(ofSeconds(10)), FAILS));
        tester.operations()
                .schedule("webhook")
                .retry(RetryPolicy.gaps(ofDays(1), ofDays(2)))
                .now();

        tester.advance(ofDays(10));

        assertThat(calls.after(start)).containsExactly(Duration.ZERO, ofDays(1), ofDays(3));
    }

    @Test
    void errors_areFailuresLikeExceptions() {
        tester.register(calls.with(webhook(ofSeconds(10)), (arguments, job) -> {
            throw new StackOverflowError();
        }));
        tester.operations().schedule("webhook").now();

        tester.advance(ofMinutes(1));

        assertThat(calls.count()).isEqualTo(2);
        assertThat(tester).hasFailed("webhook").withError("StackOverflowError");
    }

    @Test
    void atMostOnce_isNotRetriedUnlessAPolicyIsStated() {
        tester.register(calls.with(Handler.named("once").delivery(Delivery.AT_MOST_ONCE), FAILS));
        tester.operations().schedule("once").now();
        tester.advance(ofDays(10));
        assertThat(calls.count()).isEqualTo(1);
        assertThat(tester).hasFailed("once");

        tester.register(calls.with(
                Handler.named("stated").delivery(Delivery.AT_MOST_ONCE).retry(RetryPolicy.gaps(ofSeconds(1))), FAILS));
        tester.operations().schedule("stated").now();
        tester.advance(ofDays(10));
        assertThat(calls.count()).isEqualTo(3);
    }

    @Test
    void payloadThatCannotBeReadHere_waitsForOthersAndThenFails() {
        tester.register(calls.named("read"));
        DelayJobTester elsewhere = DelayJobTester.builder()
                .name("elsewhere")
                .time(time)
                .store(store)
                .settings(settings -> settings.worker(false))
                .build();
        elsewhere.operations().schedule("read").with(Map.of("n", 1)).now();
        tester.operations().schedule("read").now();

        tester.advance(ofHours(23));
        assertThat(calls.count()).as("its neighbour").isEqualTo(1);
        assertThat(tester).hasDelayed("read").once();
        tester.advance(ofHours(3));

        assertThat(tester).hasFailed("read").withError("InvalidPayloadException");
        assertThat(fenced).isEmpty();
    }

    private static Handler.Builder webhook(Duration first, Duration... more) {
        return Handler.named("webhook").retry(RetryPolicy.gaps(first, more));
    }
}
