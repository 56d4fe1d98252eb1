package io.delayjob.spring;

import org.springframework.transaction.support.TransactionOperations;

/**
 * The transactions in which jobs are written that no caller schedules: those of handlers that start by themselves. A
 * bean of its own type, because one of Spring's would take the place of the application's.
 *
 * @param operations transactions on the job tables' database
 */
public record DelayJobTransactions(TransactionOperations operations) {

    /** For stores that know no transactions. */
    static final DelayJobTransactions NONE = new DelayJobTransactions(TransactionOperations.withoutTransaction());
}
