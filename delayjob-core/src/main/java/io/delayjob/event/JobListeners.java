package io.delayjob.event;

import io.delayjob.job.Completion;
import io.delayjob.job.NewJob;
import io.delayjob.job.Transition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contains all listeners of an engine. Exceptions of a listener are logged. They do not affect other listeners or jobs.
 * Thread-safe.
 */
public final class JobListeners {

    private static final Logger log = LoggerFactory.getLogger(JobListeners.class);

    private final List<JobListener> listeners;

    public JobListeners(List<? extends JobListener> listeners) {
        this.listeners = new CopyOnWriteArrayList<>(listeners);
    }

    /** Adds a listener, which receives all later events. */
    public void add(JobListener listener) {
        listeners.add(listener);
    }

    /**
     * Tells every listener that an attempt has ended. The end of the attempt can schedule the next job of a chain. Then
     * this method also tells every listener about that job. Never throws an exception.
     *
     * @param next the row's new state. If a cancellation was requested, this state can differ from {@link
     *     Completion#next() end.next()}
     */
    public void completed(Completion end, Transition next, Duration took) {
        tell(listener -> listener.completed(end.job(), end.outcome(), next, took));
        NewJob follower = next.equals(end.next()) ? end.follower() : null;
        if (follower != null) {
            tell(listener -> listener.scheduled(follower.name(), 1));
            tell(listener -> listener.followed(follower.name()));
        }
    }

    /**
     * Passes an event to every listener, for example {@code listeners.tell(l -> l.fenced(job))}. Never throws an
     * exception.
     */
    public void tell(Consumer<JobListener> event) {
        for (JobListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable fault) {
                log.warn(
                        "The job listener {} threw an exception. delayjob ignores it, so the job is not affected.",
                        listener.getClass().getName(),
                        fault);
            }
        }
    }
}
