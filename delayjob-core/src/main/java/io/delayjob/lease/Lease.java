package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Represents a lease that this instance was granted. The lease may have expired since then. Only one thread at a time
 * may use this object.
 */
public interface Lease {

    /**
     * Extends the lease. The extended lease lasts for {@code duration}, counted from a moment within this call.
     *
     * @return the lease object to use from now on; empty if the lease was lost
     * @throws RuntimeException if the provider cannot be reached. The caller should try again as long as the lease may
     *     still be valid
     */
    Optional<Lease> extend(Duration duration);

    /** Gives the lease back, so that other instances can acquire it at once. */
    void release();
}
