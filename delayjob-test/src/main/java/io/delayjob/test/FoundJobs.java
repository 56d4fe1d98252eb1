package io.delayjob.test;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.Job;
import io.delayjob.job.JobState;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs by the names of their handlers, page by page.
 *
 * @param now the virtual time; {@code null} if there is no virtual time
 */
record FoundJobs(DelayJobOperations operations, @Nullable Instant now) {

    /** Finds waiting jobs, whether they are due or not. The first of the names is the present name of the handler. */
    JobsAssert delayed(List<String> names) {
        return new JobsAssert(
                "delayed job '" + names.get(0) + "'", find(names, List.of(JobState.DELAYED, JobState.READY)), now);
    }

    JobsAssert failed(List<String> names) {
        return new JobsAssert("failed job '" + names.get(0) + "'", find(names, List.of(JobState.FAILED)), now);
    }

    JobsAssert finished(List<String> names) {
        return new JobsAssert("finished job '" + names.get(0) + "'", find(names, List.of(JobState.FINISHED)), now);
    }

    /** Jobs that have expired count as cancelled. */
    JobsAssert cancelled(List<String> names) {
        return new JobsAssert("cancelled job '" + names.get(0) + "'", find(names, List.of(JobState.CANCELLED)), now);
    }

    boolean any(String name) {
        return !operations.find(JobQuery.all().name(name).limit(1)).jobs().isEmpty();
    }

    private List<Job> find(Collection<String> names, Collection<JobState> states) {
        List<Job> found = new ArrayList<>();
        for (String name : names) {
            for (JobState state : states) {
                JobQuery query = JobQuery.state(state).name(name).limit(JobQuery.MAX_LIMIT);
                JobPage page = operations.find(query);
                found.addAll(page.jobs());
                while (page.next() != null) {
                    page = operations.find(query.after(page.next()));
                    found.addAll(page.jobs());
                }
            }
        }
        found.sort(Comparator.comparing(Job::scheduledAt).thenComparing(Job::id));
        return found;
    }
}
