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
 * Provides leases whose names contain the identity of the job tables. So applications with other job tables may use the
 * same provider.
 *
 * <p>A person may change the identity of a copied database while instances run, so the identity is read once a minute.
 * This class is thread-safe if the underlying provider is thread-safe.
 */
public final class ScopedLeases implements LeaseProvider {

    /**
     * Because the identity is so short, a lease name has at most 64 characters. ShedLock does not allow longer names.
     */
    private static final Pattern IDENTITY = Pattern.compile("[a-z0-9]{1,8}");

    private static final long KNOWN_FOR = Duration.ofMinutes(1).toNanos();

    private static final Logger log = LoggerFactory.getLogger(ScopedLeases.class);

    private final LeaseProvider provider;
    private final Supplier<String> identity;
    private final LongSupplier nanoTime;
    private volatile @Nullable Prefix prefix;

    private record Prefix(String text, long askedNanos) {}

    /** @param identity supplies the identity of the store; called again later if it throws an exception */
    public ScopedLeases(LeaseProvider provider, Supplier<String> identity, LongSupplier nanoTime) {
        this.provider = provider;
        this.identity = identity;
        this.nanoTime = nanoTime;
    }

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
