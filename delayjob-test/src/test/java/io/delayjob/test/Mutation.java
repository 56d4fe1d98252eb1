package io.delayjob.test;

import io.delayjob.handler.RateLimit;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;

/** The difference of a simulation from the protocol. By default there is none. */
interface Mutation {

    /** No difference. */
    Mutation NONE = new Mutation() {};

    /** Changes what the store does. */
    default JobStore atStore(JobStore store, Machine machine) {
        return store;
    }

    /** Changes the requests of an engine. */
    default JobStore atEngine(JobStore store, Machine machine) {
        return store;
    }

    /** Returns the rate of which each instance takes the part that its leases give to it. */
    default RateLimit partOf(RateLimit rate) {
        return rate;
    }

    /** Changes what an instance knows about store time. */
    default EngineClock atClock(EngineClock clock) {
        return clock;
    }

    /** Returns the name under which an instance holds leases. */
    default String leaseHolder(String incarnation) {
        return incarnation;
    }
}
