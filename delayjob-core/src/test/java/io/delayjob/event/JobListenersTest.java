package io.delayjob.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.delayjob.job.ChainStep;
import io.delayjob.job.Completion;
import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Transition;
import io.delayjob.time.HandClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JobListenersTest {

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException(),
                new StackOverflowError(),
                new NoClassDefFoundError(),
                // Code in other languages may throw a checked exception that it does not declare.
                new IOException());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void listenerThatThrows_affectsNoOtherListenerAndNoJob(Throwable fault) {
        List<Integer> heard = new ArrayList<>();
        JobListeners listeners = new JobListeners(List.of(new JobListener() {
            @Override
            public void adopted(int count) {
                JobListenersTest.<RuntimeException>sneak(fault);
            }
        }));
        listeners.add(new JobListener() {
            @Override
            public void adopted(int count) {
                heard.add(count);
            }
        });
        assertThatCode(() -> listeners.tell(l -> l.adopted(3))).doesNotThrowAnyException();
        assertThat(heard).containsExactly(3);
    }

    @ParameterizedTest
    @CsvSource({"FINISHED, FINISHED, scheduled second; followed second", "FAILED, FAILED,", "FINISHED, CANCELLED,"})
    void nextJobOfAChain_isTold_onlyIfItsRowWasWritten(JobState end, JobState stored, @Nullable String told) {
        List<String> heard = new ArrayList<>();
        JobListeners listeners = new JobListeners(List.of(new JobListener() {
            @Override
            public void scheduled(String name, int count) {
                heard.add("scheduled " + name);
            }

            @Override
            public void followed(String name) {
                heard.add("followed " + name);
            }
        }));
        ChainStep second = new ChainStep(GivenJob.id(2), ChainStep.When.FINISHED, "default", "second", null, null);
        Job first = GivenJob.given().done();
        Job chained = first.with(first.task()
                .withExtras(JobExtras.NONE.withSteps(List.of(second)).toText()));
        Completion completion = new Completion(
                chained,
                new JobOutcome.Succeeded(),
                new Transition.Ended(end),
                8,
                HandClock.START,
                null,
                true,
                List.of());

        listeners.completed(completion, new Transition.Ended(stored), Duration.ZERO);

        assertThat(String.join("; ", heard)).isEqualTo(told == null ? "" : told);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }
}
