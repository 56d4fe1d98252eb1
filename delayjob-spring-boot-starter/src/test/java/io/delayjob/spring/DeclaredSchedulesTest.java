package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.schedule.Repeat;
import io.delayjob.store.StoreException;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DeclaredSchedulesTest {

    private static final Repeat HOURLY = Repeat.every(Duration.ofHours(1));

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
    private final List<String> declared = new ArrayList<>();
    private Set<String> broken = Set.of();
    private final DeclaredSchedules schedules = new DeclaredSchedules(this::declare, DelayJobTransactions.NONE);

    private Throwable failure = new IllegalStateException("away");
    private int changing;

    @BeforeEach
    void logAsByDefault() {
        logging.setLogLevel(DeclaredSchedules.class.getName(), LogLevel.INFO);
    }

    @AfterEach
    void logAsBefore() {
        logging.setLogLevel(DeclaredSchedules.class.getName(), null);
    }

    private boolean declare(String handler, Repeat repeat) {
        declared.add(handler + " " + repeat);
        if (broken.contains(handler)) {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }
        return changing-- > 0;
    }

    @Test
    void each_isDeclaredOnce() {
        schedules.add(new DeclaredSchedule("purge", HOURLY));
        schedules.add(new DeclaredSchedule("report", HOURLY));

        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(declared).containsExactly("purge every:PT1H", "report every:PT1H");
    }

    @Test
    void scheduleThatIsSwitchedOff_isHandedOnWithoutATime() {
        schedules.add(new DeclaredSchedule("purge", null));

        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(declared).containsExactly("purge null");
    }

    @Test
    void scheduleThatCannotBeWritten_isTriedAgainAndHoldsUpNoOther() {
        broken = Set.of("purge");
        schedules.add(new DeclaredSchedule("purge", HOURLY));
        schedules.add(new DeclaredSchedule("report", HOURLY));

        assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());
        broken = Set.of();
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(declared).containsExactly("purge every:PT1H", "report every:PT1H", "purge every:PT1H");
    }

    @Test
    void whatWasChanged_isLookedAtOnceMore() {
        changing = 2;
        schedules.add(new DeclaredSchedule("purge", HOURLY));

        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(declared)
                .as("until there is nothing left to change")
                .containsExactly("purge every:PT1H", "purge every:PT1H", "purge every:PT1H");
    }

    @Test
    void instancesThatChangeWhatOthersHaveChanged_stopAtSomeTime() {
        changing = Integer.MAX_VALUE;
        schedules.add(new DeclaredSchedule("purge", HOURLY));

        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(declared).hasSize(5);
    }

    @Test
    void scheduleOfWhichAnErrorIsThrown_isReportedOnceWithItsStackAndHoldsUpNoOther(CapturedOutput output) {
        failure = new NoClassDefFoundError("pretended");
        broken = Set.of("purge");
        schedules.add(new DeclaredSchedule("purge", HOURLY));
        schedules.add(new DeclaredSchedule("report", HOURLY));

        for (int i = 0; i < 5; i++) {
            assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());
        }

        assertThat(declared).contains("report every:PT1H");
        assertThat(output.getOut().lines())
                .filteredOn(line -> line.contains("cannot be stored yet"))
                .singleElement()
                .asString()
                .contains("yet: 'purge'.", "tries again every 5 s");
        assertThat(output).contains("at io.delayjob.spring.DeclaredSchedulesTest");

        broken = Set.of();
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);
        assertThat(output).contains("These self-starting jobs are now stored: 'purge'");
    }

    @Test
    void storeThatIsAway_isReportedInOneLineForAllSchedules(CapturedOutput output) {
        failure = StoreException.unavailable("no connection", new IllegalStateException());
        broken = Set.of("purge", "report", "remind");
        broken.forEach(name -> schedules.add(new DeclaredSchedule(name, HOURLY)));

        for (int i = 0; i < 5; i++) {
            assertThat(schedules.doWork()).isEqualTo(Duration.ofSeconds(5).toNanos());
        }
        broken = Set.of();
        assertThat(schedules.doWork()).isEqualTo(Agent.UNTIL_WOKEN);

        assertThat(output.getOut().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("WARN", "'purge', 'remind', 'report'", "no connection", "every 5 s"),
                        line -> assertThat(line)
                                .contains("INFO", "'purge', 'remind', 'report'", "jobs are now stored"));
    }
}
