package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/** A lease that was held when it was granted. Used by one thread at a time. */
public interface Lease {

    /**
     * Extends the lease to last {@code duration} from some moment within this call.
     *
     * @return the handle to use from now on; empty when the lease was lost
     * @throws RuntimeException when the provider cannot be reached: ask again until the lease must be considered
     *     expired
     */
    Optional<Lease> extend(Duration duration);

    /** Gives the lease back, so that others need not wait for its end. */
    void release();
}
