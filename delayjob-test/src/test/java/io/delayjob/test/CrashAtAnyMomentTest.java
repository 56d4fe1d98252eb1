package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.Handler;
import io.delayjob.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests how soon the jobs of a dead instance continue. This depends on the time since its last heartbeat and renewal,
 * and on the phase of the surviving instance. So the test tries many phases of both, with the default settings.
 */
class CrashAtAnyMomentTest {

    /** Maximum time until a running job is resumed: liveness + 1 s. */
    private static final Duration RUNNING_WITHIN = ofSeconds(11);

    /** Maximum delay of a waiting job: lease + sweep. */
    private static final Duration DELAYED_WITHIN = ofSeconds(11);

    @Test
    void bothPromisesHold_wheneverAnInstanceDies() {
        Duration running = Duration.ZERO;
        Duration delayed = Duration.ZERO;
        for (int phase = 0; phase < 2_000; phase += 499) {
            for (int moment = 0; moment < 20_000; moment += 797) {
                Survival survival = new Survival(ofMillis(phase), ofMillis(moment));
                running = max(running, survival.running());
                delayed = max(delayed, survival.delayed());
            }
        }
        assertThat(running).as("longest wait of a running job").isLessThanOrEqualTo(RUNNING_WITHIN);
        assertThat(delayed).as("longest wait of a delayed job").isLessThanOrEqualTo(DELAYED_WITHIN);
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /** A case in which one of two instances dies. */
    private static final class Survival {
        private final Cluster cluster = new Cluster();
        private final Calls calls = new Calls(cluster.time);
        private final Calls others = new Calls(cluster.time);
        private final Set<JobId> running = new HashSet<>();
        private final Instant killed;

        /**
         * @param phase time from the start of the first instance to the start of the second
         * @param moment time from a settled state to the death
         */
        Survival(Duration phase, Duration moment) {
            Cluster.Member doomed = join("doomed");
            doomed.tester()
                    .register(calls.with(Handler.named("running"), (arguments, job) -> new CompletableFuture<>()))
                    .register(calls.named("delayed"));
            cluster.time.advance(phase);
            Cluster.Member heir = join("heir");
            heir.tester().register(others.named("running")).register(others.named("delayed"));
            cluster.time.advance(ofMinutes(1).plus(moment));
            IntStream.range(0, 10)
                    .forEach(i -> running.add(doomed.tester()
                            .operations()
                            .schedule("running")
                            .now()
                            .id()));
            IntStream.range(0, 200)
                    .forEach(i ->
                            doomed.tester().operations().schedule("delayed").after(ofMillis(50 + 100L * i)));
            cluster.time.advance(ofMillis(20));

            doomed.process().kill();
            killed = cluster.time.clock().storeTime();
            cluster.time.advance(ofSeconds(40));
            assertThat(others.count()).isEqualTo(210);
        }

        /**
         * The interval of heartbeats does not divide the duration of a lease. So their phases shift against each other,
         * as in real time.
         */
        private Cluster.Member join(String name) {
            return cluster.join(name, cluster.memory, settings -> settings.heartbeat(ofMillis(1_900)));
        }

        Duration running() {
            return longest(call -> running.contains(call.id()), call -> killed);
        }

        Duration delayed() {
            return longest(call -> !running.contains(call.id()), Calls.Call::dueAt);
        }

        private Duration longest(Predicate<Calls.Call> which, Function<Calls.Call, Instant> since) {
            return others.all().stream()
                    .filter(which)
                    .map(call -> Duration.between(since.apply(call), call.at()))
                    .max(Duration::compareTo)
                    .orElseThrow();
        }
    }
}
