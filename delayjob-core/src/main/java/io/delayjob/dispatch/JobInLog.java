package io.delayjob.dispatch;

import io.delayjob.job.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts a job into the logging context (MDC) of the worker that calls its handler, so that every line that the handler
 * logs can say to which attempt it belongs. Closing it restores what stood there before. Belongs to its thread.
 */
final class JobInLog implements AutoCloseable {

    private static final List<String> KEYS =
            List.of("delayjob.id", "delayjob.name", "delayjob.run", "delayjob.attempt");

    private final List<@Nullable String> before;

    JobInLog(Job job) {
        before = KEYS.stream().<@Nullable String>map(MDC::get).toList();
        put(List.of(job.id().toString(), job.name(), Integer.toString(job.run()), Integer.toString(job.attempt())));
    }

    @Override
    public void close() {
        put(before);
    }

    private static void put(List<? extends @Nullable String> values) {
        for (int i = 0; i < KEYS.size(); i++) {
            String value = values.get(i);
            if (value == null) {
                MDC.remove(KEYS.get(i));
            } else {
                MDC.put(KEYS.get(i), value);
            }
        }
    }
}
