package io.delayjob.test;

import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.StoreClock;

class MemoryJobStoreContractTest extends JobStoreContract implements OrderedScanContract, GroupStoreContract {

    @Override
    protected JobStore store() {
        return new MemoryJobStore(StoreClock::wallMicros);
    }
}
