package io.delayjob.test;

/**
 * The {@linkplain JobStoreContract tests that every store must pass}, and the tests for stores with
 * {@linkplain io.delayjob.store.JobStore#handlerTransactions() transactions for handlers}.
 */
public abstract class TransactionalStoreContract extends JobStoreContract
        implements HandlerTransactionContract, OrderedScanContract, GroupStoreContract {}
