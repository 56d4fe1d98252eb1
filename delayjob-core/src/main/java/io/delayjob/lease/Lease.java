package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/** A lease that this instance was granted. It may have expired since. Used by one thread at a time. */
public interface Lease {

    /**
     * Extends the lease. It then lasts for {@code duration} from some moment within this call.
     *
     * @return the lease object to use from now on; empty when the lease was lost
     * @throws RuntimeException when the provider cannot be reached. Try again until the lease must be considered
     *     expired
     */
    Optional<Lease> extend(Duration duration);

    /** Gives the lease back, so that other instances need not wait until it expires. */
    void release();
}
