package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Grants leases, which are time-limited rights with a name. In the whole cluster, a lease has at most one holder at a
 * time. Thread-safe; may block.
 */
public interface LeaseProvider {

    /**
     * Tries to get a lease that lasts {@code duration} from some moment within this call.
     *
     * @return the lease; empty if another holder has it
     * @throws RuntimeException when the provider cannot be reached. It is then unknown whether the lease was granted
     */
    Optional<Lease> acquire(String name, Duration duration);
}
