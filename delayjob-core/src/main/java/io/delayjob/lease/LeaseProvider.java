package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/** Grants time-limited rights by name, to one holder at a time across the cluster. Thread-safe; may block. */
public interface LeaseProvider {

    /**
     * Tries to get a lease that lasts {@code duration} from some moment within this call.
     *
     * @return the lease; empty if another holder has it
     * @throws RuntimeException when the provider cannot be reached: the lease may or may not have been taken
     */
    Optional<Lease> acquire(String name, Duration duration);
}
