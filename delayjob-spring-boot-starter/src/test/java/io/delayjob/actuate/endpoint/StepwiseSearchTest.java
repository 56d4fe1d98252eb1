package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepwiseSearchTest {

    private static final JobCursor NEXT = JobCursor.behind(JobId.parse("018f0000-0000-7000-8000-000000000001"));

    private static final JobQuery QUERY = JobQuery.all().name("rare").limit(5).lookAt(JobQuery.MAX_LOOK);

    private final List<JobQuery> asked = new ArrayList<>();
    private long nanos;

    /** Searches a store whose steps all have this answer. */
    private JobPage search(JobPage step, Duration took) {
        return search(QUERY, step, took);
    }

    private JobPage search(JobQuery query, JobPage step, Duration took) {
        DelayJobOperations operations = mock(DelayJobOperations.class);
        when(operations.find(any(JobQuery.class))).thenAnswer(call -> {
            asked.add(call.getArgument(0));
            nanos += took.toNanos();
            return step;
        });
        EngineClock clock = mock(EngineClock.class);
        when(clock.nanoTime()).thenAnswer(call -> nanos);
        return new StepwiseSearch(operations, clock).find(query);
    }

    private static JobPage step(int jobs, boolean last) {
        return new JobPage(Collections.nCopies(jobs, mock(Job.class)), last ? null : NEXT, 2 * StepwiseSearch.STEP);
    }

    @Test
    void searchThatFindsNothing_endsWhenTheTimeIsUp_andSaysHowToGoOn() {
        JobPage page = search(step(0, false), Duration.ofMillis(4));

        assertThat(asked).hasSize(3).extracting(JobQuery::lookAt).containsOnly(StepwiseSearch.STEP);
        assertThat(asked).extracting(JobQuery::after).containsExactly(null, NEXT, NEXT);
        assertThat(page.jobs()).isEmpty();
        assertThat(page.next()).isEqualTo(NEXT);
        assertThat(page.lookedAt()).isEqualTo(6 * StepwiseSearch.STEP);
    }

    @Test
    void slowStep_isTheOnlyOne() {
        search(step(0, false), Duration.ofMillis(700));

        assertThat(asked).hasSize(1);
    }

    @Test
    void quickSearch_endsAfterTheMaximumNumberOfRows() {
        assertThat(search(step(0, false), Duration.ZERO).lookedAt()).isEqualTo(JobQuery.MAX_LOOK);
    }

    @Test
    void lastStep_looksAtWhatIsLeft() {
        search(QUERY.lookAt(2 * StepwiseSearch.STEP + 100), step(0, false), Duration.ZERO);
        search(QUERY.lookAt(70), step(0, false), Duration.ZERO);

        assertThat(asked).extracting(JobQuery::lookAt).containsExactly(StepwiseSearch.STEP, 100, 70);
    }

    @Test
    void search_endsWithTheLastPage() {
        assertThat(search(step(0, true), Duration.ZERO).isComplete()).isTrue();
        assertThat(asked).hasSize(1);
    }

    @Test
    void search_endsWhenThePageIsFull() {
        assertThat(search(step(3, false), Duration.ZERO).jobs()).hasSize(6);
        assertThat(asked).extracting(JobQuery::limit).containsExactly(5, 2);
    }
}
