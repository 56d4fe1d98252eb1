package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.jdbc.TestFault;
import io.delayjob.jdbc.TestProxy.Effect;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The network between an instance and its database breaks, or falls silent: for all connections, or for one. */
@Execution(ExecutionMode.CONCURRENT) // each in a scene of its own; most of their time is waiting
@Order(1)
@Timeout(180)
class NetworkOutageTest {

    private static final String CLAIM = "SET state = 1, owner = ";

    /** The jobs become due over four seconds. So even on a slow machine, some are not due yet when the outage begins. */
    private static final int JOBS = 400;

    private static final Duration APART = Duration.ofMillis(10);

    @Test
    void connectionsThatAreCutAreReplaced() throws Exception {
        try (Scene scene = Scene.scene().start()) {
            scene.schedule(JOBS, APART);
            scene.runs().awaitStarts(50);

            assertThat(scene.proxy.cut()).isPositive();
            long cut = System.nanoTime();

            assertThat(scene.runs().firstAfter(cut)).isLessThan(Duration.ofSeconds(10));
            scene.runs().assertEachOf(JOBS, 20);
            scene.awaitHealth();
        }
    }

    @Test
    void networkThatHoldsEverythingBackIsWaitedFor() throws Exception {
        try (Scene scene = Scene.scene().start()) {
            scene.schedule(JOBS, APART);
            scene.runs().awaitStarts(50);

            scene.proxy.stall();
            assertThat(scene.awaitTrouble(trouble -> trouble.role().equals("claim"))
                            .error())
                    .contains("waits for a connection or an answer");
            scene.proxy.resume();
            long back = System.nanoTime();

            assertThat(scene.runs().firstAfter(back)).isLessThan(Duration.ofSeconds(10));
            scene.runs().assertEachOf(JOBS, 20);
            scene.awaitHealth();
        }
    }

    /** As after a fail-over to another address: nobody ever says that the old connections are dead. */
    @Test
    void connectionsThatFellSilentForEverAreGivenUp() throws Exception {
        try (Scene scene = Scene.scene().impatient().start()) {
            scene.schedule(JOBS, APART);
            scene.runs().awaitStarts(50);
            scene.awaitPool();

            scene.proxy.strand();
            long stranded = System.nanoTime();

            assertThat(scene.runs().firstAfter(stranded + Duration.ofSeconds(1).toNanos()))
                    .isLessThan(Duration.ofSeconds(30));
            scene.runs().assertEachOf(JOBS, 20);
            scene.awaitHealth();
        }
    }

    @Test
    void oneSilentConnectionOfEachOtherRoleKeepsNoJobFromItsStart() throws Exception {
        int jobs = 200;
        // Longer than a pause of this machine: a job that waited for a silent connection would be later than that.
        Duration silence = Duration.ofSeconds(5);
        try (Scene scene = Scene.scene().patience(silence).start()) {
            scene.awaitHealth();
            List<TestFault> silent = Stream.of("beats + 1", "UPDATE shedlock", "gone AS (", "ANY(CAST(")
                    .map(text -> scene.proxy.atStatement(text, Effect.HOLD_ANSWER))
                    .toList();
            scene.schedule(jobs, Duration.ofMillis(15));
            for (TestFault fault : silent) {
                assertThat(fault.await(Runs.PATIENCE)).as("%s", fault).isTrue();
            }
            scene.runs().assertEachOf(jobs, 0);
            scene.awaitHealth();
            assertThat(scene.runs().latenesses())
                    .as("on time, or late by a pause of this machine")
                    .last()
                    .satisfies(latest -> assertThat(latest).isLessThan(silence.minusSeconds(1)));
            assertThat(scene.engine.status().number())
                    .as("never given up for silent")
                    .isEqualTo(1);
        }
    }

    @Test
    void oneSilentClaimStopsNoOtherRole_andIsGivenUp() throws Exception {
        int jobs = 100;
        try (Scene scene = Scene.scene().patience(Duration.ofSeconds(5)).start()) {
            scene.awaitHealth();
            TestFault fault = scene.proxy.atStatement(CLAIM, Effect.HOLD_ANSWER);
            scene.schedule(jobs, Duration.ofMillis(5));
            assertThat(fault.await(Runs.PATIENCE)).isTrue();
            scene.runs().awaitRead("sweep");
            // By then, a role that works every two seconds would be in trouble as well, if it waited behind the claim.
            scene.awaitTroubles(troubles -> troubles.size() == 1
                    && troubles.get(0).role().equals("claim")
                    && troubles.get(0).lasting().compareTo(Duration.ofMillis(4_500)) > 0
                    && troubles.get(0).error().contains("waits for a connection or an answer"));

            scene.runs().assertEachOf(jobs, 0);
            scene.awaitHealth();
        }
    }
}
