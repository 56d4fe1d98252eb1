package io.delayjob.jdbc.lease;

import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Shortens locks that last too long because the clock of the database was set back. This is safe even while the holder
 * of a lock is alive. The shortened lock still lasts for the requested duration. Thread-safe.
 */
final class LockRows {

    private static final Logger log = LoggerFactory.getLogger(LockRows.class);

    /** After the clock was set, many leases are shortened at the same time, and one warning is enough. */
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final NamedParameterJdbcOperations jdbc;
    private final TransactionOperations transactions;
    private final String shorten;
    private final EngineClock clock;
    private final Map<String, Long> lookedNanos = new ConcurrentHashMap<>();
    private volatile @Nullable Long warnedNanos;

    /**
     * @param shorten statement that shortens the lock {@code :name}, so that it ends at most {@code :micros}
     *     microseconds from now
     */
    LockRows(NamedParameterJdbcOperations jdbc, TransactionOperations transactions, String shorten, EngineClock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.shorten = shorten;
        this.clock = clock;
    }

    /** Each lock is checked at most once per {@code duration}. */
    void refused(String name, Duration duration) {
        long now = clock.nanoTime();
        Long looked = lookedNanos.get(name);
        if (looked != null && now - looked < duration.toNanos()) {
            return;
        }
        Map<String, Object> parameters =
                Map.of("name", name, "micros", duration.dividedBy(ChronoUnit.MICROS.getDuration()));
        Integer shortened = DatabaseLocks.translated(
                "looking at the lease of another instance",
                () -> transactions.execute(status -> jdbc.update(shorten, parameters)));
        lookedNanos.put(name, now);
        if (shortened != null && shortened > 0) {
            warn(name, duration, now);
        }
    }

    private void warn(String name, Duration duration, long now) {
        Long warned = warnedNanos;
        if (warned != null && now - warned < BETWEEN_WARNINGS.toNanos()) {
            log.debug(
                    "This instance has shortened lease {} of another instance to {}. An earlier warning explains the "
                            + "reason.",
                    name,
                    duration);
            return;
        }
        warnedNanos = now;
        log.warn(
                "This instance has shortened lease {} of another instance, because it would have lasted longer than this "
                        + "instance's lease duration ({}). Either the clock of the database was set back, or "
                        + "instances have different values of delayjob.lease.duration. Give all instances the same "
                        + "value.",
                name,
                duration);
    }
}
