package io.delayjob;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of calls of {@code schedule(…)} that were never given a time, and so did nothing. It looks at a sample of the
 * calls, and learns of a forgotten one when the garbage collector has found its last step. Thread-safe.
 */
final class AbandonedSpecs {

    private static final Logger log = LoggerFactory.getLogger(AbandonedSpecs.class);

    /** Maximum number of warnings, each about another line of code. */
    private static final int MAX_WARNINGS = 20;

    private final ScheduleWatch watch = new ScheduleWatch();
    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    /** The first step of a call, watched or not. */
    <S> S watched(Class<S> type, S step, String handler) {
        warn();
        return watch.sampled(type, step, handler);
    }

    /** Warns of the calls found since the last look; costs nothing if there are none. */
    void warn() {
        for (String call : watch.takeCollected()) {
            if (warnedOf.size() < MAX_WARNINGS && warnedOf.add(call)) {
                log.warn(
                        "A job was not scheduled: schedule(…) of handler {} was never told when. End it with .now(), .after(…), .at(…) or .repeat(…). delayjob looks at a sample of the calls, and says this once for each line of code.",
                        call);
            }
        }
    }
}
