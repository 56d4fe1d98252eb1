package io.delayjob.test;

import io.delayjob.event.JobListener;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Engines that share a store, leases and virtual time. By default they have the default settings. */
final class Cluster {

    /** Number of overdue rows that wait for a rate, in tests of what such rows cost. */
    static final int WAITING_ROWS = Integer.getInteger("delayjob.test.waiting-rows", 100_000);

    final VirtualTime time = new VirtualTime(Instant.parse("2030-01-01T00:00:00Z"));
    final JobStore memory = new MemoryJobStore(time.clock()::storeMicros);
    private LeaseProvider leases = new MemoryLeaseProvider(time.clock());
    private final ReferencePayloads codec = new ReferencePayloads();

    /** From now on, joining instances name leases as old versions did, without the identity of the store. */
    void withLeaseNamesOfOldVersions() {
        LeaseProvider shared = leases;
        leases = (name, duration) -> shared.acquire(name.replaceFirst("^delayjob-[a-z0-9]{8}-", "delayjob-"), duration);
    }

    /** From now on, joining instances get no leases. */
    void withoutLeases() {
        leases = (name, duration) -> Optional.empty();
    }

    /** From now on, joining instances have a lease table that fails. */
    void withBrokenLeases() {
        leases = (name, duration) -> {
            throw new IllegalStateException("the lease table is gone");
        };
    }

    /** Adds a member with its own process, which can be killed. */
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
