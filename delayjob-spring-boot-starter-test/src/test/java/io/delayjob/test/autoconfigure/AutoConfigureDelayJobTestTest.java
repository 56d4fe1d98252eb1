package io.delayjob.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.VirtualClock;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Without a database, and without the rest of Spring Boot's auto-configuration, as in a slice. */
@SpringJUnitConfig
@AutoConfigureDelayJobTest(startingAt = "2031-05-01T12:00:00Z")
@Import(AutoConfigureDelayJobTestTest.Alarm.class)
class AutoConfigureDelayJobTestTest {

    @Autowired
    private DelayJobTester tester;

    @Autowired
    private DelayJobOperations jobs;

    @Autowired
    private Alarm alarm;

    @Autowired
    private JobStore store;

    @Autowired
    private EngineClock clock;

    @Autowired
    private TimingWheel timers;

    @Test
    void jobsRun_whenTimeIsAdvanced() {
        assertThat(store).isInstanceOf(MemoryJobStore.class);
        assertThat(clock).isInstanceOf(VirtualClock.class);
        assertThat(tester.now()).isEqualTo(Instant.parse("2031-05-01T12:00:00Z"));
        jobs.schedule(Alarm::ring).with("breakfast").after(Duration.ofHours(8));
        tester.advance(Duration.ofHours(7));
        assertThat(alarm.rung).isEmpty();
        tester.advance(Duration.ofHours(1));
        assertThat(alarm.rung).containsExactly("breakfast");
    }

    @Test
    void volatileTimers_fireInVirtualTime() {
        List<Instant> fired = new ArrayList<>();
        Instant due = tester.now().plus(Duration.ofMinutes(5));
        timers.schedule(() -> fired.add(tester.now()), Duration.ofMinutes(5));
        tester.advance(Duration.ofMinutes(10));
        assertThat(fired).containsExactly(due);
    }

    static class Alarm {
        private final List<String> rung = new ArrayList<>();

        @DelayedJob("ring")
        void ring(String occasion) {
            rung.add(occasion);
        }
    }
}
