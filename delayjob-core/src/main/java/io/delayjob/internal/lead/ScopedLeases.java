package io.delayjob.internal.lead;

import io.delayjob.lease.Lease;
import io.delayjob.lease.LeaseProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Leases for the partitions of one store. Applications with other job tables may use the same provider, because every
 * name contains the identity of the tables.
 *
 * <p>Asks for the identity at the first lease and remembers it. Thread-safe if the provider is.
 */
public final class ScopedLeases implements LeaseProvider {

    /** With the longest queue and partition, a name has the maximum length of ShedLock: 64 characters. */
    private static final Pattern IDENTITY = Pattern.compile("[a-z0-9]{1,8}");

    private final LeaseProvider provider;
    private final Supplier<String> identity;
    private volatile @Nullable String prefix;

    /**
     * @param provider the provider that grants the leases
     * @param identity supplies the identity of the job tables; may throw if the store is down, and is then called
     *     again
     */
    public ScopedLeases(LeaseProvider provider, Supplier<String> identity) {
        this.provider = provider;
        this.identity = identity;
    }

    /** Names the lease {@code delayjob-<identity>-<name>}. */
    @Override
    public Optional<Lease> acquire(String name, Duration duration) {
        return provider.acquire(prefix() + name, duration);
    }

    private String prefix() {
        String known = prefix;
        if (known == null) {
            known = "delayjob-" + checked(identity.get()) + "-";
            prefix = known;
        }
        return known;
    }

    private static String checked(String identity) {
        if (!IDENTITY.matcher(identity).matches()) {
            throw new IllegalStateException(
                    "Invalid identity '%s' of the job store: must be 1 to 8 letters a-z and digits, because it is part of the names of leases; correct it in the identity table."
                            .formatted(identity));
        }
        return identity;
    }
}
