package io.delayjob;

import io.delayjob.job.Job;
import io.delayjob.store.JobCursor;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Iterates over all jobs that a query finds, one page at a time. Confined to one thread. */
final class JobWalk implements Iterator<Job> {

    private final Function<JobQuery, JobPage> find;
    private @Nullable JobQuery next;
    private Iterator<Job> page = Collections.emptyIterator();

    private JobWalk(JobQuery query, Function<JobQuery, JobPage> find) {
        this.find = find;
        this.next = query;
    }

    static Stream<Job> over(JobQuery query, Function<JobQuery, JobPage> find) {
        int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(new JobWalk(query, find), characteristics), false);
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext() && next != null) {
            JobPage read = find.apply(next);
            JobCursor behind = read.next();
            page = read.iterator();
            next = behind == null ? null : next.after(behind);
        }
        return page.hasNext();
    }

    @Override
    public Job next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
