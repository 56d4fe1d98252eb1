package io.delayjob.spring;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The transactions for jobs that no caller schedules: those of handlers that start by themselves. It is a type of its
 * own, because a bean of Spring's type would replace the application's.
 *
 * @param operations transactions on the job tables' database
 */
public record DelayJobTransactions(TransactionOperations operations) {

    /** For stores without transactions. */
    static final DelayJobTransactions NONE = new DelayJobTransactions(TransactionOperations.withoutTransaction());
}
