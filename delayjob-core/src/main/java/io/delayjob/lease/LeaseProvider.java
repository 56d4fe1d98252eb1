package io.delayjob.lease;

import java.time.Duration;
import java.util.Optional;

/**
 * Grants leases. A lease is a right with a name and a limited time. In the whole cluster, a lease has at most one
 * holder at a time. The methods are thread-safe, and may block.
 */
public interface LeaseProvider {

    /**
     * Tries to get a lease, which lasts for {@code duration} from some moment within this call.
     *
     * @return the lease; empty if another holder has it
     * @throws RuntimeException when the provider cannot be reached. In this case, it is unknown whether the lease was
     *     granted
     */
    Optional<Lease> acquire(String name, Duration duration);
}
