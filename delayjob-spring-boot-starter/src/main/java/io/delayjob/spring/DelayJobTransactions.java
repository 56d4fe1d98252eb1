package io.delayjob.spring;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The transactions for jobs that start by themselves, without a caller. This class is a separate type, because a bean
 * of Spring's type would replace the application's bean.
 *
 * @param operations transactions on the job tables' database
 */
public record DelayJobTransactions(TransactionOperations operations) {

    /** For stores without transactions. */
    public static final DelayJobTransactions NONE =
            new DelayJobTransactions(TransactionOperations.withoutTransaction());
}
