package io.delayjob;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns if a call of {@code schedule} never states a time, and so schedules no job. Only a sample of the calls is
 * watched. Thread-safe.
 */
final class AbandonedSpecs {

    private static final Logger log = LoggerFactory.getLogger(AbandonedSpecs.class);

    private static final int MAX_WARNINGS = 20;

    private final ScheduleWatch watch = new ScheduleWatch();
    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    <S> S watched(Class<S> type, S step, String handler) {
        warn();
        return watch.sampled(type, step, handler);
    }

    void warn() {
        for (String call : watch.takeCollected()) {
            if (warnedOf.size() < MAX_WARNINGS && warnedOf.add(call)) {
                log.warn(
                        "A call of schedule(…) for handler {} scheduled no job, because the call does not say when "
                                + "the job runs. End the call with .now(), .after(…), .at(…) or .repeat(…). delayjob "
                                + "warns only once for each line of code, and does not notice every unfinished call.",
                        call);
            }
        }
    }
}
