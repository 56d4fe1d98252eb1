package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.Paused;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Answers that do not tell all say so. */
class BoundedAnswersTest {

    private static final JobCursor NEXT = JobCursor.behind(JobId.parse("018f0000-0000-7000-8000-000000000001"));

    private static JobsDescriptor shown(JobPage page) {
        return JobsDescriptor.of(
                page,
                JobQuery.all().name("rare"),
                new Pauses(Paused.NOTHING, new HandlerRegistry()),
                false,
                Duration.ofMillis(3));
    }

    private static SummaryDescriptor shown(JobCounts counts) {
        EngineStatus status = new EngineStatus(
                true,
                "shop#1",
                1,
                List.of(),
                List.of(),
                0,
                0,
                0,
                List.of(),
                Paused.NOTHING,
                List.of(),
                Set.of(),
                0,
                Map.of(),
                Map.of(),
                0,
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ZERO,
                List.of());
        return SummaryDescriptor.of(counts, List.of(), status);
    }

    @Test
    void pageThatHasLookedAtAllItMay_saysHowToGoOn() {
        assertThat(shown(new JobPage(List.of(), NEXT, 20_000)).note())
                .isEqualTo(
                        "This page is not the last page. Of the 20,000 rows that were read, 0 match. To read on, ask again with after=018f0000-0000-7000-8000-000000000001.");
    }

    @Test
    void lastPage_hasNoNote() {
        assertThat(shown(new JobPage(List.of(), null, 17))).satisfies(page -> {
            assertThat(page.note()).isNull();
            assertThat(page.next()).isNull();
        });
    }

    @Test
    void countsThatStoppedAtTheCap_areNamed() {
        Map<JobState, Long> byState = Map.of(JobState.READY, 3L, JobState.FINISHED, 10_000L);

        assertThat(shown(new JobCounts(byState, Set.of(JobState.FINISHED), Set.of(JobState.DELAYED), null)))
                .satisfies(summary -> {
                    assertThat(summary.jobs())
                            .containsAllEntriesOf(byState)
                            .as("all states")
                            .hasSameSizeAs(JobState.values());
                    assertThat(summary.atLeast()).containsExactly(JobState.FINISHED);
                    assertThat(summary.about()).containsExactly(JobState.DELAYED);
                });
        assertThat(shown(new JobCounts(byState, Set.of(), Set.of(), null)).atLeast())
                .isNull();
    }
}
