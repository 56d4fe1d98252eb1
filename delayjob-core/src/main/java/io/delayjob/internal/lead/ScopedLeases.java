package io.delayjob.internal.lead;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides leases for the partitions of one store. Every lease name contains the identity of the job tables. So
 * applications with other job tables may use the same underlying provider.
 *
 * <p>The identity is read before the first lease, and then once a minute. A copy of a database needs an identity of its
 * own. So a person may change the identity while instances run. If the store does not answer, the last known identity
 * is used. Thread-safe if the underlying provider is.
 */
public final class ScopedLeases implements LeaseProvider {

    /**
     * Matches the allowed identities. A lease name with the longest identity, queue and partition has 64 characters,
     * the most that ShedLock allows.
     */
    private static final Pattern IDENTITY = Pattern.compile("[a-z0-9]{1,8}");

    private static final long KNOWN_FOR = Duration.ofMinutes(1).toNanos();

    private static final Logger log = LoggerFactory.getLogger(ScopedLeases.class);

    private final LeaseProvider provider;
    private final Supplier<String> identity;
    private final LongSupplier nanoTime;
    private volatile @Nullable Prefix prefix;

    private record Prefix(String text, long askedNanos) {}

    /**
     * @param provider the underlying provider, which grants the leases
     * @param identity supplies the identity of the store. If it throws an exception because the store is unavailable,
     *     it is called again later
     * @param nanoTime monotonic time
     */
    public ScopedLeases(LeaseProvider provider, Supplier<String> identity, LongSupplier nanoTime) {
        this.provider = provider;
        this.identity = identity;
        this.nanoTime = nanoTime;
    }

    /** Acquires the lease {@code delayjob-<identity>-<name>}. */
    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        return provider.acquire(prefix() + name, duration);
    }

    private String prefix() {
        Prefix known = prefix;
        long now = nanoTime.getAsLong();
        if (known == null) {
            known = new Prefix(read(), now);
            prefix = known;
        } else if (now - known.askedNanos >= KNOWN_FOR) {
            known = new Prefix(readOr(known.text), now);
            prefix = known;
        }
        return known.text;
    }

    private String read() {
        return "delayjob-" + checked(identity.get()) + "-";
    }

    private String readOr(String former) {
        String present;
        try {
            present = read();
        } catch (RuntimeException away) {
            return former;
        }
        if (!present.equals(former)) {
            log.warn(
                    "The identity of the job tables has changed, so names of new leases begin with {} "
                            + "instead of {}. Until the old leases expire, two instances may hold the lease of one "
                            + "partition, but each job still runs once.",
                    present,
                    former);
        }
        return present;
    }

    private static String checked(String identity) {
        if (!IDENTITY.matcher(identity).matches()) {
            throw new IllegalStateException(
                    "Invalid identity '%s' of the job store: must be 1 to 8 letters a-z and digits, because lease names contain it. Correct it in the identity table."
                            .formatted(identity));
        }
        return identity;
    }
}
