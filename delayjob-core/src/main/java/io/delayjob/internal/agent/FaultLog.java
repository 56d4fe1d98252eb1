package io.delayjob.internal.agent;

import io.delayjob.event.LogThrottle;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs lasting failures of background tasks: bugs, and statements that the store refuses. Each failure is logged only
 * once in ten minutes, because a failing task is called again and again. Thread-safe.
 */
public final class FaultLog {

    private static final Logger log = LoggerFactory.getLogger(FaultLog.class);

    /** Failures that differ only in ids, counts and times are the same failure. */
    private static final Pattern NUMBERS = Pattern.compile("[0-9a-fA-F-]*\\d[0-9a-fA-F-]*");

    private final LogThrottle throttle = new LogThrottle();

    private static String more(int before) {
        return before == 0
                ? "."
                : ". The task has failed in this way %d times since the last such line.".formatted(before);
    }

    void failed(String role, Throwable fault, long nowNanos) {
        String subject = role + ": " + NUMBERS.matcher(fault.toString()).replaceAll("#");
        throttle.admit(subject, nowNanos)
                .ifPresent(before -> log.error(
                        "delayjob's background task '{}' failed. delayjob calls it again after a pause; until it "
                                + "works, jobs may start late{}",
                        role,
                        more(before),
                        fault));
    }
}
