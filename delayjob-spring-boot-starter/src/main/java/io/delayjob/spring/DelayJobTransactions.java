package io.delayjob.spring;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The transactions in which delayjob writes jobs that start by themselves. A bean of Spring's type would replace the
 * application's bean, so the transactions have their own type.
 *
 * @param operations transactions on the job tables' database
 */
public record DelayJobTransactions(TransactionOperations operations) {

    /** For stores without transactions. */
    public static final DelayJobTransactions NONE =
            new DelayJobTransactions(TransactionOperations.withoutTransaction());
}
