package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobId;
import io.delayjob.store.JobPage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * One page of jobs.
 *
 * @param jobs the jobs
 * @param next what to ask for with {@code after=} to get the next page; not there on the last
 */
record JobsDescriptor(List<JobDescriptor> jobs, @Nullable String next) implements OperationResponseBody {

    static JobsDescriptor of(JobPage page, Pauses pauses, boolean showsPayload) {
        JobId next = page.next();
        return new JobsDescriptor(
                page.stream()
                        .map(job -> JobDescriptor.of(job, pauses, showsPayload))
                        .toList(),
                next == null ? null : next.toString());
    }
}
