package io.delayjob.actuate.endpoint;

import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One page of jobs.
 *
 * @param next value to send as {@code after} for the next page; absent on the last page
 * @param complete true if no further job matches
 * @param note tells which jobs the search covers, or why the page is not full
 */
record JobsDescriptor(
        List<JobDescriptor> jobs,
        @Nullable String next,
        int lookedAt,
        boolean complete,
        Duration took,
        @Nullable String note)
        implements OperationResponseBody {

    static JobsDescriptor of(JobPage page, JobQuery query, Pauses pauses, boolean showsPayload, Duration took) {
        JobCursor next = page.next();
        boolean isCut = next != null && page.jobs().size() < query.limit();
        return new JobsDescriptor(
                page.stream()
                        .map(job -> JobDescriptor.of(job, pauses, showsPayload))
                        .toList(),
                next == null ? null : next.toString(),
                page.lookedAt(),
                page.isComplete(),
                took.truncatedTo(ChronoUnit.MICROS),
                isCut ? noteOf(page) : null);
    }

    JobsDescriptor ofKnownNames() {
        return new JobsDescriptor(
                jobs,
                next,
                lookedAt,
                complete,
                took,
                "The key was looked up under the names of all handlers that registered instances have. "
                        + "The result leaves out jobs with other names. To find such jobs, state name=, too.");
    }

    private static String noteOf(JobPage page) {
        return String.format(
                Locale.ROOT,
                "This page is not the last page. Of the %2$,d rows that were read, %1$d match. To read "
                        + "on, ask again with after=%3$s.",
                page.jobs().size(),
                page.lookedAt(),
                page.next());
    }
}
