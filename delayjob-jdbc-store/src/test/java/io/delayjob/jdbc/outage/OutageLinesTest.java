package io.delayjob.jdbc.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.jdbc.TestProxy.Effect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What an operator reads of a database that goes away and comes back, beside the lines of the connection pool. */
@Isolated("it reads what the whole JVM logs")
@Timeout(180)
class OutageLinesTest {

    @Test
    void databaseThatGoesAway_isOneLineAtFirstAndOneAtLast() throws Exception {
        int jobs = 300;
        try (CapturedLog log = new CapturedLog();
                Scene scene = Scene.scene().impatient().start()) {
            scene.awaitHealth();
            scene.schedule(jobs, Duration.ofMillis(5));
            scene.runs().awaitStarts(50);

            scene.proxy.refuse();
            scene.proxy.cut();
            for (String role : List.of("claim", "complete", "sweep")) {
                scene.awaitTrouble(trouble ->
                        trouble.role().equals(role) && trouble.lasting().compareTo(Duration.ofSeconds(1)) > 0);
            }
            scene.proxy.accept();
            scene.runs().assertEachOf(jobs, 50);
            scene.awaitHealth();
            log.await(entry -> entry.message().contains("answers again"));

            List<CapturedLog.Entry> ours = log.entries().stream()
                    .filter(entry -> !entry.isOfThePool())
                    .filter(entry -> !entry.level().equals("DEBUG"))
                    .filter(entry -> !entry.message().contains("is registered under the number"))
                    .toList();
            assertThat(ours)
                    .satisfiesExactly(
                            first -> {
                                assertThat(first.level()).isEqualTo("WARN");
                                assertThat(first.message())
                                        .contains("The job store did not answer", "running jobs continue");
                                assertThat(first.stack()).isEmpty();
                            },
                            last -> {
                                assertThat(last.level()).isEqualTo("INFO");
                                assertThat(last.message()).contains("answers again after", "complete ", "claim ");
                            });
        }
    }

    /** As where a load balancer drops a connection now and then: most commits of them break while they are answered. */
    @Test
    void connectionsThatBreakAtTheirCommit_leaveNoStackInTheLog() throws Exception {
        int jobs = 100;
        try (CapturedLog log = new CapturedLog();
                Scene scene = Scene.scene().impatient().start()) {
            scene.awaitHealth();
            scene.schedule(jobs, Duration.ofMillis(5));
            for (String statement : List.of("SET state = 1, owner = ", "DELETE FROM delayjob_job", "shedlock")) {
                scene.proxy.atCommit(statement, Effect.LOSE_ANSWER);
            }
            scene.runs().assertEachOf(jobs, 50);
            scene.awaitHealth();
            log.await(entry -> entry.message().contains("answers again"));

            assertThat(log.entries()).filteredOn(entry -> !entry.isOfThePool()).allSatisfy(entry -> {
                assertThat(entry.stack()).isEmpty();
                assertThat(entry.level()).isNotEqualTo("ERROR");
            });
        }
    }
}
