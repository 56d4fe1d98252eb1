package io.delayjob.test;

import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.StoreClock;

/** Tests that a store which decides the place of its jobs passes the contract, too. */
class GroupedStoreContractTest extends JobStoreContract implements GroupStoreContract {

    @Override
    protected JobStore store() {
        return new GroupedStore(new MemoryJobStore(StoreClock::wallMicros));
    }
}
