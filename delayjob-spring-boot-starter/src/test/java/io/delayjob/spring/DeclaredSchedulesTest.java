package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.schedule.Repeat;
import io.delayjob.time.Agent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeclaredSchedulesTest {

    private static final Repeat HOURLY = Repeat.every(Duration.ofHours(1));

    private final List<String> declared = new ArrayList<>();
    private Set<String> broken = Set.of();
    private final DeclaredSchedules schedules = new DeclaredSchedules(this::declare, DelayJobTransactions.NONE);

    private int changing;

    private boolean declare(String handler, Repeat repeat) {
        declared.add(handler + " " + repeat);
        if (broken.contains(handler)) {
            throw new IllegalStateException("away");
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
}
