package io.delayjob.test;

/**
 * The {@linkplain JobStoreContract tests that every store must pass}, and additional tests for a store that calls
 * {@linkplain io.delayjob.store.JobStore#handlerTransactions() handlers in transactions}. Such a store must also keep
 * groups of jobs, and read waiting rows and running rows in one common order.
 */
public abstract class TransactionalStoreContract extends JobStoreContract
        implements HandlerTransactionContract, OrderedScanContract, GroupStoreContract {}
