package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final VirtualTime time = new VirtualTime(START);
    private final VirtualProcess process = time.process("test");
    private final List<String> log = new ArrayList<>();

    @Test
    void agent_isCalledAtOnce_andThenAtTheTimesThatItReturns() {
        process.start(agent("a", () -> logged("a", SECOND)));

        assertThat(log).as("nothing runs before time does").isEmpty();
        time.runDue();
        assertThat(log).containsExactly("a@0");
        time.advance(Duration.ofMillis(2_500));
        assertThat(log).containsExactly("a@0", "a@1000", "a@2000");
        assertThat(time.clock().storeTime()).isEqualTo(START.plusMillis(2_500));
    }

    @Test
    void agent_thatWaitsToBeWokenIsCalledNoMore() {
        process.start(agent("a", () -> logged("a", Agent.UNTIL_WOKEN)));

        time.advance(Duration.ofDays(365));

        assertThat(log).containsExactly("a@0");
    }

    @Test
    void agent_wokenRunsAtThePresentTimeInsteadOfLater() {
        AgentHandle handle = process.start(agent("a", () -> logged("a", 10 * SECOND)));
        time.advance(Duration.ofSeconds(3));

        handle.wake();
        handle.wake();

        assertThat(log).as("waking runs nothing by itself").containsExactly("a@0");
        time.advance(Duration.ofSeconds(12));
        assertThat(log).containsExactly("a@0", "a@3000", "a@13000");
    }

    @Test
    void agent_wokenDuringItsCallIsCalledOnceMore() {
        AtomicReference<AgentHandle> handle = new AtomicReference<>();
        handle.set(process.start(agent("a", () -> {
            if (log.isEmpty()) {
                handle.get().wake();
            }
            return logged("a", Agent.UNTIL_WOKEN);
        })));

        time.advance(Duration.ofSeconds(1));

        assertThat(log).containsExactly("a@0", "a@0");
    }

    @Test
    void agents_runInTheOrderOfTime_andAtTheSameMomentInTheOrderOfTheirRequests() {
        process.start(agent("slow", () -> logged("slow", 3 * SECOND)));
        process.start(agent("quick", () -> logged("quick", 2 * SECOND)));

        time.advance(Duration.ofSeconds(6));

        assertThat(log)
                .containsExactly(
                        "slow@0", "quick@0", "quick@2000", "slow@3000", "quick@4000", "slow@6000", "quick@6000");
    }

    @Test
    void agent_stoppedIsCalledNoMoreAndMayBeStoppedAgain() {
        AgentHandle handle = process.start(agent("a", () -> logged("a", SECOND)));
        time.advance(Duration.ofSeconds(1));

        handle.stop();
        handle.wake();
        handle.stop();
        time.advance(Duration.ofSeconds(5));

        assertThat(log).containsExactly("a@0", "a@1000");
    }

    @Test
    void agent_mayStopItself() {
        AtomicReference<AgentHandle> handle = new AtomicReference<>();
        handle.set(process.start(agent("a", () -> {
            handle.get().stop();
            return logged("a", 0);
        })));

        time.advance(Duration.ofSeconds(1));

        assertThat(log).containsExactly("a@0");
    }

    @Test
    void agent_thatFailsIsReportedAndCalledAgainAfterAGrowingPause() {
        List<String> failures = new ArrayList<>();
        VirtualProcess forgiving =
                time.process("forgiving", (role, failure) -> failures.add(role + ": " + failure.getMessage()));
        AgentHandle handle = forgiving.start(agent("a", () -> {
            logged("a", 0);
            if (log.size() <= 4) {
                throw new IllegalStateException("store away");
            }
            return Agent.UNTIL_WOKEN;
        }));

        time.runDue();
        handle.wake();
        time.advance(Duration.ofMinutes(1));

        assertThat(log).containsExactly("a@0", "a@100", "a@300", "a@700", "a@1500");
        assertThat(failures).hasSize(4).containsOnly("a: store away");
    }

    @Test
    void agent_thatFails_endsTheTest_unlessFailuresAreReceived() {
        process.start(agent("preload", () -> {
            throw new IllegalStateException("store away");
        }));

        assertThatThrownBy(time::runDue)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("preload")
                .hasMessageContaining("store away")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void tasks_runWhenTimeRuns_atTheTimeOfTheirSubmission() {
        process.start(agent("a", () -> {
            process.workers().execute(() -> logged("task", 0));
            return logged("a", SECOND);
        }));

        time.advance(Duration.ofSeconds(1));

        assertThat(log).containsExactly("a@0", "task@0", "a@1000", "task@1000");
    }

    @Test
    void task_mayAdvanceTimeItself() {
        process.start(agent("a", () -> logged("a", SECOND)));
        process.workers().execute(() -> {
            logged("begin", 0);
            time.advance(Duration.ofSeconds(2));
            logged("end", 0);
        });

        time.advance(Duration.ofSeconds(1));

        assertThat(log).containsExactly("a@0", "begin@0", "a@1000", "a@2000", "end@2000");
        assertThat(time.clock().storeTime()).isEqualTo(START.plusSeconds(2));
    }

    @Test
    void advance_includesTheWholeOfTheLastMillisecondAndNothingLater() {
        process.start(agent("a", () -> logged("a", log.isEmpty() ? SECOND + 999_999 : 1)));

        time.advance(Duration.ofSeconds(1));

        assertThat(log).startsWith("a@0", "a@1000").hasSize(2);
        assertThat(time.clock().storeTime()).isEqualTo(START.plusSeconds(1));
    }

    @Test
    void advance_doesNotDriftByPartsOfAMillisecond() {
        process.start(agent("a", () -> logged("a", SECOND + 511)));

        for (int i = 0; i < 1_000; i++) {
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(time.clock().storeTime()).isEqualTo(START.plusSeconds(1_000));
        assertThat(log).hasSize(1_001);
    }

    @Test
    void advanceTo_refusesThePast() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> time.advanceTo(START.minusMillis(1)))
                .withMessageContaining("2029-12-31T23:59:59.999Z")
                .withMessageContaining("only goes forwards");
        time.advanceTo(START.plusSeconds(60));
        assertThat(time.clock().storeTime()).isEqualTo(START.plusSeconds(60));
    }

    @Test
    void agent_thatNeverPauses_isDetected() {
        process.start(agent("restless", () -> 0));

        assertThatIllegalStateException()
                .isThrownBy(() -> time.advance(Duration.ofSeconds(1)))
                .withMessageContaining("restless")
                .withMessageContaining("2030-01-01T00:00:00Z");
    }

    @Test
    void killedProcess_runsNothingAnyMoreAndOthersGoOn() {
        VirtualProcess doomed = time.process("doomed");
        doomed.start(agent("doomed", () -> logged("doomed", SECOND)));
        process.start(agent("a", () -> logged("a", SECOND)));
        time.runDue();

        doomed.workers().execute(() -> logged("task", 0));
        doomed.kill();
        time.advance(Duration.ofSeconds(1));

        assertThat(log).containsExactly("doomed@0", "a@0", "a@1000");
        assertThat(doomed.isKilled()).isTrue();
    }

    @Test
    void pausedProcess_doesItsDueWorkLater_andThenContinues() {
        AgentHandle handle = process.start(agent("a", () -> logged("a", 10 * SECOND)));
        time.advance(Duration.ofSeconds(1));

        process.pause();
        process.workers().execute(() -> logged("task", 0));
        handle.wake();
        time.advance(Duration.ofSeconds(1));
        handle.wake();
        time.advance(Duration.ofSeconds(13));
        assertThat(log).containsExactly("a@0");
        process.resume();
        time.advance(Duration.ofSeconds(20));

        assertThat(log).containsExactly("a@0", "task@15000", "a@15000", "a@25000", "a@35000");
    }

    @Test
    void otherThreads_mayWakeAgents() {
        AgentHandle handle = process.start(agent("a", () -> logged("a", Agent.UNTIL_WOKEN)));
        time.runDue();

        CompletableFuture.runAsync(handle::wake).join();
        time.runDue();

        assertThat(log).containsExactly("a@0", "a@0");
    }

    @Test
    void frequentWaking_leavesNothingBehind() {
        AtomicInteger calls = new AtomicInteger();
        AgentHandle handle = process.start(agent("a", () -> {
            calls.incrementAndGet();
            return Duration.ofDays(300).toNanos();
        }));
        for (int i = 0; i < 100_000; i++) {
            handle.wake();
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(calls).hasValue(100_000);

        time.advance(Duration.ofDays(300));
        assertThat(calls).hasValue(100_001);
    }

    private long logged(String role, long pause) {
        log.add(role + "@" + Duration.between(START, time.clock().storeTime()).toMillis());
        return pause;
    }

    private static Agent agent(String role, LongSupplier work) {
        return new Agent() {
            @Override
            public String roleName() {
                return role;
            }

            @Override
            public long doWork() {
                return work.getAsLong();
            }
        };
    }
}
