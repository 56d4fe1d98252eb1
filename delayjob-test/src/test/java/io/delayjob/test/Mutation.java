package io.delayjob.test;

import io.delayjob.store.JobStore;

/** How one simulation differs from the protocol; by default it does not. */
interface Mutation {

    /** Nothing is changed. */
    Mutation NONE = new Mutation() {};

    /** Changes what the store does. */
    default JobStore atStore(JobStore store, Machine machine) {
        return store;
    }

    /** Changes what an engine asks for. */
    default JobStore atEngine(JobStore store, Machine machine) {
        return store;
    }

    /** In whose name an instance holds leases. */
    default String leaseHolder(String incarnation) {
        return incarnation;
    }
}
