package io.delayjob.spring;

import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Decides what happens to calls within a transaction that the store cannot join. A rule of {@link #onOtherDataSources}
 * is used only for stores with {@link StoreCapability#CALLER_TRANSACTIONS}. Any other rule is used only for stores that
 * do not have this capability. If a jar adds another kind of store, the jar declares a bean of type {@code CallsInTransactions}. Thread-safe.
 *
 * <p>A reactive transaction is not noticed, so a call within it takes effect at once.
 *
 * @see InTransaction
 */
public final class CallsInTransactions implements JobStoreCustomizer, OfDefaultStore, Ordered {

    private static final String WITHOUT_TRANSACTIONS =
            "Make the call before or after the transaction, or choose after-commit instead of refuse.";

    private final InTransaction choice;
    private final @Nullable BooleanSupplier beside;
    private final String advice;

    /** @param choice what happens to calls within a transaction that the store cannot join */
    public CallsInTransactions(InTransaction choice) {
        this(choice, null, WITHOUT_TRANSACTIONS);
    }

    private CallsInTransactions(InTransaction choice, @Nullable BooleanSupplier beside, String advice) {
        this.choice = choice;
        this.beside = beside;
        this.advice = advice;
    }

    /**
     * Returns the rule for calls within a transaction that does not use the store's data source.
     *
     * @param choice what happens to these calls
     * @param beside a supplier that tells whether the present thread has such a transaction
     * @param advice a sentence that tells the caller of a refused call what to do next
     */
    public static CallsInTransactions onOtherDataSources(InTransaction choice, BooleanSupplier beside, String advice) {
        return new CallsInTransactions(choice, beside, advice);
    }

    /** Puts this customizer around all others. So a call is measured only if it reaches the store. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public JobStore customize(JobStore store) {
        boolean joins = store.capabilities().has(StoreCapability.CALLER_TRANSACTIONS);
        if (choice == InTransaction.NOW || joins == (beside == null)) {
            return store;
        }
        return new StoreBesideTransactions(
                store, choice, beside == null ? CallsInTransactions::isInTransaction : beside, advice);
    }

    private static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }
}
