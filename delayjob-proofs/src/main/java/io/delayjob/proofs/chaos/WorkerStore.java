package io.delayjob.proofs.chaos;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store of a worker process, with the leases and transactions of the same server. */
interface WorkerStore extends AutoCloseable {

    /** If the server is down, this method tries again for a while. */
    static WorkerStore open(WorkerOrders orders) {
        return RedisWorkerStore.isAddress(orders.url()) ? RedisWorkerStore.open(orders) : JdbcWorkerStore.open(orders);
    }

    JobStore jobs();

    LeaseProvider leases(String incarnation, Mutant mutant, EngineClock clock);

    /** {@code null} if the store cannot join transactions. */
    @Nullable
    Transactions transactions();

    int hog(Duration length);

    @Override
    void close();
}
