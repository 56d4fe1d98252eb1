package io.delayjob.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All listeners of an engine. Whatever one of them throws is logged, and neither the others nor a job notice.
 * Thread-safe.
 */
public final class JobListeners {

    private static final Logger log = LoggerFactory.getLogger(JobListeners.class);

    private final List<JobListener> listeners;

    public JobListeners(List<? extends JobListener> listeners) {
        this.listeners = new CopyOnWriteArrayList<>(listeners);
    }

    /** Adds one that hears whatever happens from now on. */
    public void add(JobListener listener) {
        listeners.add(listener);
    }

    /** Tells every listener, as in {@code listeners.tell(l -> l.fenced(job))}. Never throws. */
    public void tell(Consumer<JobListener> event) {
        for (JobListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable fault) {
                log.warn(
                        "Listener {} failed; the job is not affected.",
                        listener.getClass().getName(),
                        fault);
            }
        }
    }
}
