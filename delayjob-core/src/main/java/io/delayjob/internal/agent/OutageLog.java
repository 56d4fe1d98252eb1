package io.delayjob.internal.agent;

import io.delayjob.store.StoreException;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * If the store does not answer, logs one line for all background tasks. Logs another line when the store answers again.
 *
 * <pre>
 *   first role fails                     last role works      nothing failed for 5 s
 *          |-------- no answer -----------------|----------------------|
 *        WARN        (DEBUG per failure)                             INFO
 * </pre>
 *
 * <p>A failure within five seconds after all tasks work again belongs to the same outage. So an unstable connection
 * causes only two lines. Thread-safe.
 */
public final class OutageLog {

    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);

    private static final long CALM_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long REMINDER_NANOS = Duration.ofMinutes(10).toNanos();

    private final Set<String> failing = new TreeSet<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private volatile boolean open;
    private long sinceNanos;
    private long toldNanos;
    private long calmSinceNanos;

    public static boolean isOutage(Throwable failure) {
        return failure instanceof StoreException said && said.isTransient();
    }

    synchronized void failed(String role, Throwable failure, long calledNanos, long nowNanos) {
        if (!open) {
            open = true;
            failures.clear();
            sinceNanos = calledNanos;
            toldNanos = nowNanos;
            log.warn(
                    "The job store did not answer delayjob's background task '{}', which waited {}. Due jobs wait "
                            + "until the store answers, but running jobs continue. delayjob keeps trying. The reason: "
                            + "{}",
                    role,
                    lasting(nowNanos),
                    failure.getMessage());
        } else if (nowNanos - toldNanos >= REMINDER_NANOS) {
            toldNanos = nowNanos;
            log.warn(
                    "The job store has not answered for {}, and due jobs still wait. delayjob keeps trying. Failed "
                            + "calls so far, by background task: {}. The latest reason: {}",
                    lasting(nowNanos),
                    counted(),
                    failure.getMessage());
        }
        failing.add(role);
        failures.merge(role, 1, Integer::sum);
        log.debug("The job store did not answer delayjob's background task '{}'.", role, failure);
    }

    /** Costs little if there is no outage. */
    void worked(String role, long nowNanos) {
        if (open) {
            workedDuringOutage(role, nowNanos);
        }
    }

    private synchronized void workedDuringOutage(String role, long nowNanos) {
        if (failing.remove(role) && failing.isEmpty()) {
            calmSinceNanos = nowNanos;
        }
        if (open && failing.isEmpty() && nowNanos - calmSinceNanos >= CALM_NANOS) {
            open = false;
            log.info(
                    "The job store answers again after {}. delayjob now starts the jobs that became due during the "
                            + "outage. Failed calls, by background task: {}.",
                    lasting(calmSinceNanos),
                    counted());
        }
    }

    private String lasting(long untilNanos) {
        return ReadableDuration.of(Duration.ofNanos(untilNanos - sinceNanos));
    }

    private String counted() {
        return failures.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}
