package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.JobContext;
import io.delayjob.schedule.Misfire;
import io.delayjob.test.DelayJobAssertions;
import io.delayjob.test.DelayJobTester;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Ten million missed matches of a cron expression make one run, and are not counted one by one. */
@SpringJUnitConfig
@AutoConfigureDelayJobTest(startingAt = "2026-11-23T00:00:00Z")
@Import(OverdueByYearsTest.Pulse.class)
class OverdueByYearsTest {

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private Pulse pulse;

    @Test
    void cronThatIsOverdueByYears_runsOnceAndGoesOn() {
        tester.runDue();
        tester.time().clock().jumpTo(Instant.parse("2030-01-01T00:00:07Z"));

        tester.runDue();
        tester.advanceTo(Instant.parse("2030-01-01T00:00:20Z"));

        assertThat(pulse.runs).startsWith(1 + Misfire.MAX_LOOKAHEAD).hasSizeBetween(1, 3);
        DelayJobAssertions.assertThat(tester).hasDelayed("pulse").dueAt(Instant.parse("2030-01-01T00:00:30Z"));
    }

    static class Pulse {
        private final List<Integer> runs = new ArrayList<>();

        @DelayedJob(name = "pulse", cron = "*/10 * * * * *")
        void beat(JobContext job) {
            runs.add(job.run());
        }
    }
}
