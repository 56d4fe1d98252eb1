package io.delayjob.internal.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.internal.instance.ClusterListener;
import io.delayjob.internal.instance.HeartbeatTerms;
import io.delayjob.internal.instance.Membership;
import io.delayjob.internal.instance.OwnEntry;
import io.delayjob.job.Partition;
import io.delayjob.lease.LeaseTable;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests with leases of 10 s and, by default, eight partitions of queue {@code a}. */
class LeaseKeeperTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final MemoryJobStore store = new MemoryJobStore(clock::storeMicros);
    private final LeaseTable table = new LeaseTable(clock);
    private Set<Partition> partitions = partitions("a", 8);

    // ---- the share

    @Test
    void loneInstanceTakesEverythingAtOnce() {
        Instance one = new Instance("one", "a");
        one.call();
        assertThat(one.leads()).isEqualTo(8);
        assertThat(one.events).hasSize(8).allMatch(event -> event.startsWith("+"));
    }

    @Test
    void nothingIsTakenBeforeTheRegistration() {
        Instance one = new Instance("one", "a");
        one.keeper.doWork();
        assertThat(one.leads()).isZero();
        assertThat(table.asked).isZero();
    }

    @Test
    void joiningInstanceGetsItsShareWithinSeconds() {
        Instance one = new Instance("one", "a");
        runFor(30, one);
        Instance two = new Instance("two", "a");
        runFor(5, one, two);
        assertThat(one.leads()).isEqualTo(4);
        assertThat(two.leads()).isEqualTo(4);
        assertThat(one.events)
                .filteredOn(event -> event.startsWith("-"))
                .hasSize(4)
                .allMatch(e -> e.endsWith("surplus"));
    }

    @Test
    void shareIsRoundedUpSoThatNothingIsLeftOver() {
        Instance one = new Instance("one", "a");
        Instance two = new Instance("two", "a");
        Instance three = new Instance("three", "a");
        runFor(60, one, two, three);
        assertThat(Stream.of(one, two, three).map(Instance::leads)).allMatch(led -> led <= 3);
        assertThat(leadTogether(one, two, three)).isEqualTo(8);
    }

    @Test
    void partitionsThatAreNoLongerCandidates_areGivenBack() {
        partitions = new TreeSet<>(partitions("a", 8));
        partitions.addAll(partitions("tenant", 8));
        Instance one = new Instance("one", "a");
        runFor(30, one);
        assertThat(one.leads()).isEqualTo(16);

        partitions = partitions("a", 8);
        runFor(30, one);

        assertThat(one.keeper.led()).containsExactlyInAnyOrderElementsOf(partitions);
        assertThat(one.events)
                .filteredOn(event -> event.startsWith("-"))
                .hasSize(8)
                .allMatch(event -> event.startsWith("-tenant-") && event.endsWith(" unused"));
    }

    @Test
    void shares_onceTaken_stayStable() {
        Instance[] all = {new Instance("one", "a"), new Instance("two", "a"), new Instance("three", "a")};
        runFor(60, all);
        Stream.of(all).forEach(instance -> instance.events.clear());
        int before = table.asked;
        runFor(600, all);
        assertThat(Stream.of(all).flatMap(instance -> instance.events.stream())).isEmpty();
        assertThat(table.asked - before)
                .as("requests in ten minutes: 150 renewals of each lease, and some checks of other leases")
                .isLessThan(8 * 150 + 3 * 6 * 160);
    }

    @Test
    void partitionsOfAStoppingInstance_areSharedByTheOthers() {
        Instance one = new Instance("one", "a");
        Instance two = new Instance("two", "a");
        runFor(30, one, two);
        two.membership.stopping();
        two.membership.doWork();
        two.keeper.releaseAll();
        runFor(5, one);
        assertThat(one.leads()).isEqualTo(8);
    }

    @Test
    void partitionsOfADeadInstance_areLedAgainWithinLeaseAndLiveness() {
        Instance one = new Instance("one", "a");
        Instance two = new Instance("two", "a");
        runFor(30, one, two);
        runFor(15, one);
        assertThat(one.leads()).isEqualTo(8);
    }

    @Test
    void spareInstance_replacesADeadOne_evenIfItsShareIsUnchanged() {
        partitions = partitions("a", 2);
        Instance[] all = {new Instance("one", "a"), new Instance("two", "a"), new Instance("three", "a")};
        for (int moment = 60; moment < 75; moment++) {
            runFor(moment, all);
            Instance dead = Stream.of(all)
                    .filter(instance -> instance.leads() > 0)
                    .findFirst()
                    .orElseThrow();
            Instance[] living =
                    Stream.of(all).filter(instance -> instance != dead).toArray(Instance[]::new);
            runFor(11, living);
            assertThat(leadTogether(living)).isEqualTo(2);
        }
    }

    @Test
    void queueWhoseJobsOnlyOthersRun_isNotLedHere() {
        partitions = Stream.of(partitions("a", 4), partitions("b", 4))
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        Instance worksA = new Instance("one", "a");
        runFor(5, worksA);
        assertThat(worksA.keeper.led("b")).as("there is no other instance").hasSize(4);
        Instance worksB = new Instance("two", "b");
        runFor(60, worksA, worksB);
        assertThat(worksA.keeper.led("a")).hasSize(4);
        assertThat(worksA.keeper.led("b")).isEmpty();
        assertThat(worksB.keeper.led("b")).hasSize(4);
        assertThat(worksB.keeper.led("a")).isEmpty();
    }

    @Test
    void partitionThatNoInstanceTakes_isTakenBeyondTheShareForAWhile() {
        Instance one = new Instance("one", "a");
        Membership cannotLead = new Instance("two", "a").membership;
        for (int second = 0; second < 30; second++) {
            cannotLead.doWork();
            runFor(1, one);
            if (second < 20) {
                assertThat(one.leads()).as("the other instance could take it").isLessThanOrEqualTo(4);
            }
        }
        assertThat(one.leads()).isEqualTo(8);
        int led = 0;
        for (int second = 0; second < 300; second++) {
            cannotLead.doWork();
            runFor(1, one);
            led += one.leads();
        }
        assertThat(led / 300.0).as("mostly led, and given back now and then").isBetween(5.5, 7.9);
    }

    @Test
    void partitionsFoundInTheTableAreLedAsWell() {
        Instance one = new Instance("one", "a");
        runFor(1, one);
        partitions = partitions("a", 12);
        runFor(11, one);
        assertThat(one.leads()).isEqualTo(12);
        assertThat(one.keeper.notLed()).isEmpty();
    }

    @Test
    void partitionsThatOthersLead_areListedAsNotLed() {
        Instance one = new Instance("one", "a");
        Instance two = new Instance("two", "a");
        runFor(30, one, two);
        assertThat(new TreeSet<>(one.keeper.notLed())).isEqualTo(new TreeSet<>(two.keeper.led()));
    }

    // ---- the trust in a lease

    @Test
    void leaseIsTrustedForFourFifthsCountedFromBeforeTheRequest() {
        partitions = partitions("a", 1);
        table.answerTakesMillis = 3_000;
        Instance one = new Instance("one", "a");
        one.call();
        clock.advanceMillis(4_999);
        assertThat(one.leads()).isEqualTo(1);
        clock.advanceMillis(1);
        assertThat(one.leads()).as("8 s after the request, 5 s after the reply").isZero();
        assertThat(table.isHeld("a-p0"))
                .as("other instances trust it a little longer")
                .isTrue();
    }

    @Test
    void leases_areRenewedLongBeforeTheyAreNoLongerTrusted() {
        Instance one = new Instance("one", "a");
        runFor(300, one);
        assertThat(one.leads()).isEqualTo(8);
        assertThat(one.events).hasSize(8);
        assertThat(table.extended.size()).isBetween(8 * 60, 8 * 80);
    }

    @Test
    void outageOfTheProvider_endsLeadershipWhenTheTrustEnds_andNotBefore() {
        Instance one = new Instance("one", "a");
        one.call();
        table.away = true;
        for (int i = 0; i < 79; i++) {
            clock.advanceMillis(100);
            one.callIgnoringFailure();
            assertThat(one.leads()).isEqualTo(8);
        }
        clock.advanceMillis(100);
        one.callIgnoringFailure();
        assertThat(one.leads()).isZero();
        assertThat(one.events).filteredOn(event -> event.endsWith("expired")).hasSize(8);
        table.away = false;
        clock.advanceMillis(2_000);
        runFor(5, one);
        assertThat(one.leads()).isEqualTo(8);
    }

    @Test
    void outageShorterThanTheTrust_hasNoEffect() {
        Instance one = new Instance("one", "a");
        one.call();
        clock.advanceMillis(4_500);
        table.away = true;
        assertThatThrownBy(one.keeper::doWork).isInstanceOf(IllegalStateException.class);
        table.away = false;
        clock.advanceMillis(1_000);
        runFor(20, one);
        assertThat(one.events).hasSize(8);
    }

    @Test
    void lostLease_endsAtOnce_andNoOtherEnds() {
        Instance one = new Instance("one", "a");
        one.call();
        table.lost.add("a-p3");
        runFor(5, one);
        assertThat(one.events).filteredOn(event -> event.startsWith("-")).containsExactly("-a-p3 lost");
        assertThat(one.leads()).isEqualTo(7);
    }

    @Test
    void leasesThatTheProviderHasForgotten_areTakenAgainAtOnce() {
        Instance one = new Instance("one", "a");
        runFor(25, one);
        table.forgetAll();
        runFor(5, one);
        assertThat(one.events).filteredOn(event -> event.endsWith("lost")).hasSize(8);
        assertThat(one.leads()).as("renewals are 4 s apart").isEqualTo(8);
    }

    @Test
    void leaseThatCannotBeRenewed_stopsNoOtherRenewal() {
        Instance one = new Instance("one", "a");
        one.call();
        table.unanswered.add("a-p3");
        for (int i = 0; i < 300; i++) {
            clock.advanceMillis(100);
            one.callIgnoringFailure();
        }
        assertThat(one.keeper.led()).hasSize(7).doesNotContain(new Partition("a", 3));
        assertThat(one.events).filteredOn(event -> event.startsWith("-")).containsExactly("-a-p3 expired");
    }

    @Test
    void leaseThatCannotBeTaken_stopsNoOther() {
        table.unanswered.add("a-p3");
        Instance one = new Instance("one", "a");
        for (int i = 0; i < 50; i++) {
            clock.advanceMillis(100);
            one.callIgnoringFailure();
        }
        assertThat(one.keeper.led()).hasSize(7);
    }

    @Test
    void leaseWhoseReleaseIsUnanswered_isNotTakenAgainForALeaseDuration() {
        Instance one = new Instance("one", "a");
        one.call();
        clock.advanceMillis(3_000);
        table.releasesComeLate = true;
        Instance two = new Instance("two", "a");
        two.membership.doWork();
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(100);
            one.callIgnoringFailure();
        }
        assertThat(one.leads()).as("after it has handed back its surplus").isEqualTo(4);
        two.membership.stopping();
        two.membership.doWork();
        for (int i = 0; i < 60; i++) {
            clock.advanceMillis(100);
            one.callIgnoringFailure();
        }

        table.letLateReleasesArrive();

        assertThat(one.keeper.led()).allMatch(partition -> table.isHeld(partition.toString()));
        runFor(10, one);
        assertThat(one.leads()).isEqualTo(8);
    }

    // ---- the end

    @Test
    void allLeases_areGivenBackAtTheEnd() {
        Instance one = new Instance("one", "a");
        one.call();
        assertThat(one.keeper.releaseAll()).isEqualTo(8);
        assertThat(one.leads()).isZero();
        assertThat(partitions).noneMatch(partition -> table.isHeld(partition.toString()));
        assertThat(one.events).filteredOn(event -> event.endsWith("stopping")).hasSize(8);
    }

    @Test
    void leaseThatCannotBeHandedBack_stopsNoOther() {
        Instance one = new Instance("one", "a");
        one.call();
        table.unanswered.add("a-p3");
        assertThat(one.keeper.releaseAll()).as("of eight").isEqualTo(7);
        assertThat(one.leads()).isZero();
        assertThat(partitions.stream().filter(partition -> table.isHeld(partition.toString())))
                .containsExactly(new Partition("a", 3));
    }

    @Test
    void pause_endsBeforeTheNextDuty() {
        Instance one = new Instance("one", "a");
        for (int i = 0; i < 1_000; i++) {
            Duration pause = Duration.ofNanos(one.call());
            assertThat(pause).isBetween(Duration.ofNanos(1), LEASE.dividedBy(10));
            clock.advance(pause);
        }
    }

    private int leadTogether(Instance... instances) {
        List<Partition> led = Arrays.stream(instances)
                .flatMap(instance -> instance.keeper.led().stream())
                .toList();
        assertThat(led).doesNotHaveDuplicates();
        return led.size();
    }

    private void runFor(int seconds, Instance... instances) {
        for (int i = 0; i < seconds * 10; i++) {
            clock.advanceMillis(100);
            for (Instance instance : instances) {
                instance.call();
            }
            leadTogether(instances);
        }
    }

    @Test
    void term_staysWhileALeaseIsRenewed_andChangesWhenItWasLost() {
        Instance one = new Instance("one", "a");
        runFor(30, one);
        Partition partition = new Partition("a", 3);
        long term = one.keeper.term(partition);
        assertThat(term).isPositive();

        runFor(60, one);
        assertThat(one.keeper.term(partition)).isEqualTo(term);

        clock.advance(LEASE);
        assertThat(one.keeper.term(partition)).as("no longer trusted").isZero();
        runFor(30, one);
        assertThat(one.keeper.term(partition)).isNotZero().isNotEqualTo(term);
    }

    @Test
    void term_endsWhenTheMachineHasSlept() {
        Instance one = new Instance("one", "a");
        runFor(30, one);
        Partition partition = new Partition("a", 3);
        long term = one.keeper.term(partition);

        clock.slept();
        assertThat(one.keeper.term(partition)).isZero();
        clock.setStore(Duration.ofSeconds(20));
        runFor(30, one);

        assertThat(one.keeper.term(partition)).isNotZero().isNotEqualTo(term);
    }

    private static Set<Partition> partitions(String queue, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> new Partition(queue, index))
                .collect(Collectors.toSet());
    }

    private final class Instance {

        private final List<String> events = new ArrayList<>();
        private final Membership membership;
        private final LeaseKeeper keeper;

        Instance(String name, String... queues) {
            membership = new Membership(
                    store.instances(),
                    clock,
                    new OwnEntry(name, () -> Set.of(queues), Set::of, () -> null),
                    new HeartbeatTerms(Duration.ofSeconds(2), Duration.ofSeconds(10)),
                    new ClusterListener() {},
                    () -> {});
            keeper = new LeaseKeeper(
                    new LeaseTerms(table.of(name), LEASE),
                    clock,
                    membership,
                    () -> partitions,
                    new SplittableRandom(name.hashCode()),
                    new JobListeners(List.of(new JobListener() {
                        @Override
                        public void leaseAcquired(Partition partition) {
                            events.add("+" + partition);
                        }

                        @Override
                        public void leaseEnded(Partition partition, String reason) {
                            events.add("-" + partition + " " + reason);
                        }
                    })),
                    () -> {});
        }

        long call() {
            membership.doWork();
            return keeper.doWork();
        }

        void callIgnoringFailure() {
            try {
                call();
            } catch (IllegalStateException unanswered) {
                // The agent is called again, as its supervisor does.
            }
        }

        int leads() {
            return keeper.led().size();
        }
    }
}
