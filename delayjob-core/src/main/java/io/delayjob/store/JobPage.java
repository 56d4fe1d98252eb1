package io.delayjob.store;

import io.delayjob.job.Job;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Contains one page of jobs, in the order that {@link JobQuery} describes. To read all pages, call
 * {@code jobs.stream(query)}.
 *
 * @param jobs the jobs of this page
 * @param next the place where the next page begins, for {@link JobQuery#after}; {@code null} if this page is the last
 *     page. A page may have a next page although it is not full, because the number of rows to read is limited
 * @param lookedAt number of rows that were read in all tables together. Rows that do not match are counted, too. A row
 *     is not counted if it is read only to find out whether more rows follow
 */
public record JobPage(List<Job> jobs, @Nullable JobCursor next, int lookedAt) implements Iterable<Job> {

    public JobPage {
        jobs = List.copyOf(jobs);
    }

    /** Tells whether this is the last page. If not, more jobs may follow after {@link #next()}. */
    public boolean isComplete() {
        return next == null;
    }

    /** Returns one page with the jobs of this page and the jobs of the next page. */
    public JobPage followedBy(JobPage behind) {
        List<Job> both = new ArrayList<>(jobs);
        both.addAll(behind.jobs);
        return new JobPage(both, behind.next, lookedAt + behind.lookedAt);
    }

    /** Returns an iterator over the jobs of this page. */
    @Override
    public Iterator<Job> iterator() {
        return jobs.iterator();
    }

    /** Returns the jobs of this page as a stream. */
    public Stream<Job> stream() {
        return jobs.stream();
    }
}
