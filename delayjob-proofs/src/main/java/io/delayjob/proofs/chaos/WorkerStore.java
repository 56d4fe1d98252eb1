package io.delayjob.proofs.chaos;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store of a worker process, with the leases and transactions of the same server. */
interface WorkerStore extends AutoCloseable {

    /** Connects, and tries again for a while, because the server may be down, and the round needs this process. */
    static WorkerStore open(WorkerOrders orders) {
        return RedisWorkerStore.isAddress(orders.url()) ? RedisWorkerStore.open(orders) : JdbcWorkerStore.open(orders);
    }

    JobStore jobs();

    /**
     * @param incarnation owner of the leases
     * @param clock clock of the engine
     */
    LeaseProvider leases(String incarnation, Mutant mutant, EngineClock clock);

    /** Returns the transactions that the store joins; {@code null} if it joins none. */
    @Nullable
    Transactions transactions();

    /** Takes all connections for this time, like a leak or many slow requests. Returns their number. */
    int hog(Duration length);

    @Override
    void close();
}
