package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Represents a lease that this instance was granted. The lease may have expired since it was granted. Only one thread
 * at a time may use this object.
 */
public interface Lease {

    /**
     * Extends the lease. The extended lease lasts for {@code duration}, counted from a moment between the beginning and
     * the end of this call.
     *
     * @return the lease object to use from now on; empty if the lease was lost
     * @throws RuntimeException when the provider cannot be reached. After such an exception, try again until the lease
     *     must be considered expired
     */
    Optional<Lease> extend(Duration duration);

    /** Gives the lease back. Other instances can then acquire the lease before it would expire. */
    void release();
}
