package io.delayjob.spring;

import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import org.springframework.core.Ordered;

/**
 * Decides what becomes of calls within a transaction that the store cannot join, such as those on a store without
 * transactions. A store with {@link StoreCapability#CALLER_TRANSACTIONS} stays as it is. A jar with another store
 * declares a bean of this type. Thread-safe.
 *
 * <p>A transaction is one of Spring's, bound to the thread. Reactive transactions are not noticed: their calls have
 * their effect at once.
 *
 * @see InTransaction
 */
public final class CallsInTransactions implements JobStoreCustomizer, Ordered {

    private final InTransaction choice;

    /** @param choice what becomes of such calls */
    public CallsInTransactions(InTransaction choice) {
        this.choice = choice;
    }

    /** Comes last, so that measurements show the calls that reach the store. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public JobStore customize(JobStore store) {
        return choice == InTransaction.NOW || store.capabilities().has(StoreCapability.CALLER_TRANSACTIONS)
                ? store
                : new StoreBesideTransactions(store, choice);
    }
}
