package io.delayjob.test;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests a table of leases that several stores or several versions share. */
class SharedLeasesTest {

    private final Cluster cluster = new Cluster();
    private final Calls calls = new Calls(cluster.time);
    private final Calls others = new Calls(cluster.time);

    @Test
    void applicationsWithStoresOfTheirOwn_leadAllTheirPartitions() {
        Cluster.Member shop = cluster.join("shop");
        shop.tester().register(calls.named("job"));
        Cluster.Member mail =
                cluster.join("mail", new MemoryJobStore(cluster.time.clock()::storeMicros), UnaryOperator.identity());
        mail.tester().register(others.named("job"));
        cluster.time.advance(ofSeconds(30));

        assertThat(shop.led()).isEqualTo(8);
        assertThat(mail.led()).isEqualTo(8);
    }

    @Test
    void rollingUpgradeFromLeaseNamesWithoutIdentity_runsEachJobOnce_andAdoptsJobsOfPartitionsWithoutALeader() {
        Cluster.Member upgraded = cluster.join("upgraded");
        upgraded.tester().register(calls.named("job"));
        cluster.time.advance(ofSeconds(30));
        assertThat(upgraded.led()).isEqualTo(8);
        cluster.withLeaseNamesOfOldVersions();
        Cluster.Member old = cluster.join("old");
        old.tester().register(others.named("job"));
        cluster.time.advance(ofMinutes(1));
        assertThat(old.led()).isEqualTo(8);
        assertThat(upgraded.led()).as("as well: each sees its own names only").isEqualTo(8);
        Set<JobId> submitted = new HashSet<>();
        for (int i = 0; i < 2_000; i++) {
            DelayJobTester tester = (i % 2 == 0 ? upgraded : old).tester();
            submitted.add(
                    tester.operations().schedule("job").after(ofMillis(60L * i)).id());
        }

        cluster.time.advance(ofMinutes(1));
        old.tester().engine().stop();
        cluster.time.advance(ofMinutes(2));

        assertThat(upgraded.led()).isEqualTo(8);
        assertThat(others.count()).as("runs of the old version").isPositive();
        assertThat(Stream.concat(calls.all().stream(), others.all().stream())
                        .map(Calls.Call::id)
                        .collect(Collectors.toList()))
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(submitted);
        // Each version includes the other when it computes the shares, so some partitions sometimes have no leader.
        Duration adopted = EngineSettings.defaults("any")
                .sweep()
                .adoptAfter()
                .multipliedBy(3)
                .dividedBy(2);
        assertThat(Stream.concat(calls.all().stream(), others.all().stream()))
                .allSatisfy(call -> assertThat(Duration.between(call.dueAt(), call.at()))
                        .isBetween(Duration.ZERO, adopted.plusSeconds(1)))
                .filteredOn(call -> call.at().equals(call.dueAt()))
                .as("on time")
                .hasSizeGreaterThan(1_900);
    }
}
