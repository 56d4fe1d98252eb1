package io.delayjob.test;

import io.delayjob.event.JobListener;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Engines that share a store, leases and virtual time, with the settings of production unless told otherwise. */
final class Cluster {

    final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    final JobStore memory = new MemoryJobStore(time.clock()::storeMicros);
    private LeaseProvider leases = new MemoryLeaseProvider(time.clock());
    private final ReferencePayloads codec = new ReferencePayloads();

    /** Instances that join from now on name leases as versions without an identity of the store did. */
    void withLeaseNamesOfOldVersions() {
        LeaseProvider shared = leases;
        leases = (name, duration) -> shared.acquire(name.replaceFirst("^delayjob-[a-z0-9]{8}-", "delayjob-"), duration);
    }

    /** From now on those who join get no lease. */
    void withoutLeases() {
        leases = (name, duration) -> Optional.empty();
    }

    /** From now on those who join have a lease table that fails. */
    void withBrokenLeases() {
        leases = (name, duration) -> {
            throw new IllegalStateException("the lease table is gone");
        };
    }

    /** One more member, each with a process of its own that can be killed. */
    Member join(String name) {
        return join(name, memory, UnaryOperator.identity());
    }

    Member join(String name, JobStore store, UnaryOperator<EngineSettings.Builder> settings, JobListener... listeners) {
        VirtualProcess process = time.process(name);
        DelayJobTesterBuilder builder = DelayJobTester.builder()
                .name(name)
                .process(process)
                .store(store)
                .leases(leases)
                .codec(codec)
                .settings(unhurried -> settings.apply(EngineSettings.defaults(name).toBuilder()));
        for (JobListener listener : listeners) {
            builder.listener(listener);
        }
        return new Member(process, builder.build());
    }

    record Member(VirtualProcess process, DelayJobTester tester) {

        int led() {
            return tester.engine().status().led().size();
        }
    }
}
