package io.delayjob.test;

import static io.delayjob.test.DelayJobAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleWatchTest {

    private final DelayJobTester tester = DelayJobTester.create().register("cancel", new Orders(), "cancel");
    private final DelayJobOperations jobs = tester.operations();

    private void assertAbandoned(int count) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(tester).hasNoAbandonedSpecs())
                .withMessageContaining(count + " did nothing")
                .withMessageContaining("ScheduleWatchTest.java");
    }

    @Test
    void specWithoutATime_isAbandoned_evenWithOtherSteps() {
        jobs.schedule("cancel");
        jobs.schedule(Orders::cancel);
        jobs.schedule(Orders::cancel).with(1L);
        jobs.schedule(Orders::cancel).with(1L).key(1).queue("slow");
        jobs.schedule(Orders::cancel).withEach(List.of(1L)).key(id -> id);

        assertAbandoned(5);
        assertThat(tester).as("told once").hasNoAbandonedSpecs();
    }

    @Test
    void specWithATime_isNotAbandoned() {
        jobs.schedule("cancel").with(List.of(1L)).now();
        jobs.schedule(Orders::cancel).with(1L).key(1).after(Duration.ofHours(1));
        jobs.schedule(Orders::cancel).withEach(List.of(1L)).now();
        jobs.cancel(Orders::cancel, 1);

        assertThat(tester).hasNoAbandonedSpecs();
    }

    @Test
    void specThatIsKept_isEndedByAnyOfItsSteps() {
        ScheduleSpec kept = jobs.schedule(Orders::cancel).with(1L);
        tester.advance(Duration.ofHours(1));
        kept.key(1).now();
        kept.key(2).now();

        assertThat(tester).hasNoAbandonedSpecs();
    }

    @Test
    void callThatWasRefused_isNotAbandoned() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule(Orders::cancel).with(1L).key(""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.schedule(Orders::cancel).with(1L).after(Duration.ofHours(-1)));

        assertThat(tester).hasNoAbandonedSpecs();
    }

    static class Orders {
        void cancel(long orderId) {}
    }
}
