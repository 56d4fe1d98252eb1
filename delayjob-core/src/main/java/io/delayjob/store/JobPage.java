package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One page of jobs, in the order of their ids, which is that of their making.
 *
 * @param jobs the jobs
 * @param next where the next page begins, for {@link JobQuery#after}; {@code null} when this is the last
 */
public record JobPage(List<Job> jobs, @Nullable JobId next) implements Iterable<Job> {

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    @Override
    public Iterator<Job> iterator() {
        return jobs.iterator();
    }

    /** The jobs as a stream. */
    public Stream<Job> stream() {
        return jobs.stream();
    }
}
