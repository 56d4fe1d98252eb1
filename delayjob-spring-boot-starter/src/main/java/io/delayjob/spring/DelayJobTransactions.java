package io.delayjob.spring;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The transactions in which delayjob writes self-starting jobs. This type wraps the {@link TransactionOperations},
 * because a bean of that type would replace the application's own bean.
 *
 * @param operations an object that runs transactions on the database of the job tables
 */
public record DelayJobTransactions(TransactionOperations operations) {

    /** For stores without transactions. */
    public static final DelayJobTransactions NONE =
            new DelayJobTransactions(TransactionOperations.withoutTransaction());
}
