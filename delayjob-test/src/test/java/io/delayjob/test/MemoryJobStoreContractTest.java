package io.delayjob.test;

import io.delayjob.store.JobStore;
import io.delayjob.store.MemoryJobStore;
import io.delayjob.time.StoreClock;

class MemoryJobStoreContractTest extends JobStoreContract {

    @Override
    protected JobStore store() {
        return new MemoryJobStore(StoreClock::wallMicros);
    }
}
