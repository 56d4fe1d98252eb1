package io.delayjob.internal.attempt;

import io.delayjob.job.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts a job into the logging context (MDC) of the worker thread, and restores the former values on {@link #close}.
 * Only one thread may use this object.
 */
final class JobInLog implements AutoCloseable {

    private static final String[] KEYS = {
        "delayjob.id", "delayjob.name", "delayjob.run", "delayjob.attempt", "delayjob.labels"
    };

    private final @Nullable String[] before = new @Nullable String[KEYS.length];

    JobInLog(Job job) {
        for (int i = 0; i < KEYS.length; i++) {
            before[i] = MDC.get(KEYS[i]);
        }
        List<String> labels = job.labels();
        put(
                job.id().toString(),
                job.name(),
                Integer.toString(job.run()),
                Integer.toString(job.attempt()),
                labels.isEmpty() ? null : String.join(", ", labels));
    }

    @Override
    public void close() {
        put(before);
    }

    private static void put(@Nullable String... values) {
        for (int i = 0; i < KEYS.length; i++) {
            String value = values[i];
            if (value == null) {
                MDC.remove(KEYS[i]);
            } else {
                MDC.put(KEYS[i], value);
            }
        }
    }
}
