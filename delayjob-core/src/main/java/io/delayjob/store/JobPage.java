package io.delayjob.store;

import io.delayjob.job.Job;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contains one page of jobs, in the order that {@link JobQuery} describes. To read all pages, call {@code
 * jobs.stream(query)}.
 *
 * @param next the place where the next page begins; {@code null} on the last page. To read the next page, pass this
 *     value to {@link JobQuery#after}. Even a page that is not full may have a next page
 * @param lookedAt the number of rows that were read in all tables, including rows that do not match. If a store reads
 *     one row more than {@link JobQuery#look()} allows, to see whether more rows follow, this row is not counted
 */
public record JobPage(List<Job> jobs, @Nullable JobCursor next, int lookedAt) implements Iterable<Job> {

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    /** Tells whether this is the last page. */
    public boolean isComplete() {
        return next == null;
    }

    /** Returns one page with the jobs of this page and the jobs of the next page. */
    public JobPage followedBy(JobPage behind) {
        List<Job> both = new ArrayList<>(jobs);
        both.addAll(behind.jobs);
        return new JobPage(both, behind.next, lookedAt + behind.lookedAt);
    }

    @Override
    public Iterator<Job> iterator() {
        return jobs.iterator();
    }

    /** Returns the jobs of this page as a stream. */
    public Stream<Job> stream() {
        return jobs.stream();
    }
}
