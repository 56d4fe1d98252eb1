package io.delayjob.internal.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.GivenJob;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.status.Sighting;
import io.delayjob.store.ClusterView;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.StoreException;
import io.delayjob.store.Vitals;
import io.delayjob.time.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests with a heartbeat of 2 s and a liveness of 10 s. */
class MembershipTest {

    private final HandClock clock = new HandClock();
    private final MemoryJobStore store = new MemoryJobStore(clock::storeMicros);
    private final Register register = new Register(store.instances());
    private int changes;
    private int expulsions;
    private int wakeUps;
    private final List<Paused> pauses = new ArrayList<>();
    private final List<Set<JobId>> cancellations = new ArrayList<>();
    private boolean told;
    private final List<String> rollCall = new ArrayList<>();
    private Vitals vitals = new Vitals(
            "1.0",
            Instant.EPOCH,
            Duration.ZERO,
            new Vitals.Memory(1, 2, 3),
            new Vitals.Rates(1, 2, List.of()),
            List.of(),
            null);
    private final Membership membership = membership("one#1");

    private Membership membership(String incarnation) {
        return new Membership(
                register,
                clock,
                new OwnEntry(
                        incarnation, () -> Set.of("default"), () -> Set.of(Set.of("mail", "letter")), () -> vitals),
                new HeartbeatTerms(Duration.ofSeconds(2), Duration.ofSeconds(10)),
                new Recorder(),
                () -> wakeUps++);
    }

    private final class Recorder implements ClusterListener {

        @Override
        public void instancesChanged() {
            changes++;
        }

        @Override
        public void instanceJoined(InstanceRow instance) {
            rollCall.add("joined " + instance.incarnation());
        }

        @Override
        public void instanceLeft(InstanceRow instance) {
            rollCall.add("left " + instance.incarnation());
        }

        @Override
        public void instanceGivenUp(InstanceRow instance, Duration silence) {
            assertThat(silence).isGreaterThanOrEqualTo(Duration.ZERO);
            rollCall.add("given up " + instance.incarnation());
        }

        @Override
        public void expelled() {
            expulsions++;
        }

        @Override
        public void pausesChanged(Paused paused) {
            pauses.add(paused);
        }

        @Override
        public Set<JobId> cancelRequested(Set<JobId> jobs) {
            cancellations.add(jobs);
            return told ? jobs : Set.of();
        }
    }

    // ---- pauses

    @Test
    void pauses_areKnownBeforeAnythingMayStart() {
        store.pause(Paused.queue("bulk"), new PauseNote(Instant.EPOCH, null, null), () -> {});
        register.registerFails = true;
        assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        assertThat(pauses).containsExactly(Paused.queue("bulk"));
        assertThat(membership.paused()).isEqualTo(Paused.queue("bulk"));
    }

    @Test
    void pauses_whenTheyChange_arePassedOn() {
        membership.doWork();
        store.pause(Paused.queue("bulk"), new PauseNote(Instant.EPOCH, null, null), () -> {});
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();
        store.resume(Paused.queue("bulk"), () -> {});
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();
        assertThat(pauses).containsExactly(Paused.queue("bulk"), Paused.NOTHING);
    }

    @Test
    void pauseMadeHere_isHeldAtOnce_evenIfAnOlderLookEndsLater() {
        membership.doWork();
        Paused bulk = Paused.queue("bulk");
        register.afterLook = () -> {
            register.afterLook = () -> {};
            store.pause(bulk, new PauseNote(Instant.EPOCH, null, null), () -> membership.hold(bulk));
            assertThat(pauses).as("when pause returns").containsExactly(bulk);
        };
        clock.advance(Duration.ofSeconds(2));

        membership.doWork();
        assertThat(membership.paused()).as("after a look that was read before").isEqualTo(bulk);
        assertThat(wakeUps).as("it looks again").isPositive();
        store.resume(bulk, () -> {});
        membership.doWork();

        assertThat(pauses).containsExactly(bulk, Paused.NOTHING);
    }

    @Test
    void pausesThatAreFollowed_areConfirmedInTheRegister_evenAfterANewRegistration() {
        Paused bulk = Paused.queue("bulk");
        store.pause(bulk, new PauseNote(Instant.EPOCH, null, null), () -> {});
        membership.doWork();
        assertThat(pausesHeld()).isEqualTo(bulk.fingerprint());

        register.rows.deregister(membership.number());
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();
        assertThat(pausesHeld()).as("registered anew").isEqualTo(bulk.fingerprint());

        store.resume(bulk, () -> {});
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();
        assertThat(pausesHeld()).isZero();
    }

    @Test
    void resumedHandler_isHeldUntilTheRegisterConfirms() {
        Paused bulk = Paused.queue("bulk");
        store.pause(bulk, new PauseNote(Instant.EPOCH, null, null), () -> {});
        membership.doWork();
        store.resume(bulk, () -> {});
        register.acknowledgementFails = true;
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);

        assertThat(pausesHeld()).isEqualTo(bulk.fingerprint());
        assertThat(membership.paused())
                .as("the pauses that the register confirms")
                .isEqualTo(bulk);
        register.acknowledgementFails = false;
        membership.doWork();
        assertThat(pausesHeld()).isZero();
        assertThat(membership.paused()).isEqualTo(Paused.NOTHING);
    }

    @Test
    void acknowledgementWhoseAnswerIsLost_isRepeated() {
        membership.doWork();
        Paused bulk = Paused.queue("bulk");
        store.pause(bulk, new PauseNote(Instant.EPOCH, null, null), () -> {});
        register.acknowledgementAnswersLost = true;
        clock.advance(Duration.ofSeconds(2));
        assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        register.acknowledgementAnswersLost = false;
        store.resume(bulk, () -> {});
        clock.advance(Duration.ofSeconds(2));
        membership.doWork();

        assertThat(membership.paused()).isEqualTo(Paused.NOTHING);
        assertThat(pausesHeld()).isZero();
    }

    private long pausesHeld() {
        return store.instances().list().stream()
                .filter(row -> row.number() == membership.number())
                .findFirst()
                .orElseThrow()
                .pausesHeld();
    }

    // ---- cancellations

    @Test
    void cancellation_isPassedOn_untilTheAttemptWasInformed() {
        membership.doWork();
        NewJob job = GivenJob.given().toBeWritten();
        store.submit(List.of(job), rows -> {});
        Job running = store.claim(List.of(job.toDueRow()), membership.number(), 7, Instant.EPOCH)
                .get(0);
        store.cancel(running.id(), Instant.EPOCH);
        Set<JobId> asked = Set.of(running.id());
        for (int look = 1; look <= 5; look++) {
            told = look == 4;
            clock.advance(Duration.ofSeconds(2));
            membership.doWork();
        }
        assertThat(cancellations).containsExactly(Set.of(), asked, asked, asked, asked, Set.of());
        assertThat(store.instances().look(membership.number()).cancelRequested())
                .isEmpty();
    }

    // ---- the permission to start

    @Test
    void nothingMayStartBeforeTheRegistrationIsAcknowledged() {
        assertThat(membership.number()).isZero();
        assertThat(membership.mayStart(0)).isFalse();
        membership.doWork();
        assertThat(membership.number()).isEqualTo(1);
        assertThat(membership.mayStart(1)).isTrue();
        assertThat(membership.mayStart(2)).as("claimed under another number").isFalse();
    }

    @Test
    void registrationThatFailedIsTriedAgain() {
        register.away = true;
        assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        assertThat(membership.number()).isZero();
        register.away = false;
        membership.doWork();
        assertThat(membership.number()).isEqualTo(1);
    }

    @Test
    void permissionToStart_lastsFourFifthsOfTheLiveness() {
        membership.doWork();
        clock.advance(Duration.ofMillis(7_999));
        assertThat(membership.mayStart(1)).isTrue();
        clock.advanceMillis(1);
        assertThat(membership.mayStart(1)).isFalse();
    }

    @Test
    void permissionToStart_countsFromBeforeTheRequest() {
        membership.doWork();
        clock.advanceMillis(2_000);
        register.beatTakesMillis = 3_000;
        membership.doWork();
        clock.advanceMillis(4_999);
        assertThat(membership.mayStart(1)).isTrue();
        clock.advanceMillis(1);
        assertThat(membership.mayStart(1))
                .as("8 s after the request, 5 s after the reply")
                .isFalse();
    }

    @Test
    void heartbeatWithoutAReply_doesNotExtendThePermissionToStart() {
        membership.doWork();
        for (int second = 2; second < 8; second += 2) {
            clock.advanceMillis(2_000);
            register.answersLost = true;
            assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        }
        clock.advanceMillis(2_000);
        assertThat(membership.mayStart(1)).isFalse();
    }

    @Test
    void machineThatSlept_startsNothingBeforeTwoHeartbeats() {
        membership.doWork();
        assertThat(membership.mayStart(1)).isTrue();
        assertThat(wakeUps).isZero();
        clock.slept();
        assertThat(membership.mayStart(1)).isFalse();
        assertThat(wakeUps).as("it asks for a heartbeat at once").isEqualTo(1);
        assertThat(membership.doWork())
                .as("the reply may have been delayed by the sleep, so it asks again at once")
                .isZero();
        assertThat(membership.mayStart(1)).isFalse();
        membership.doWork();
        assertThat(membership.mayStart(1)).isTrue();
    }

    @Test
    void heartbeat_isSentOnceAPeriod_howeverOftenTheAgentIsWoken() {
        membership.doWork();
        long beats = beatsOf(1);
        for (int i = 0; i < 19; i++) {
            clock.advanceMillis(100);
            membership.doWork();
        }
        assertThat(beatsOf(1)).isEqualTo(beats);
        clock.advanceMillis(100);
        membership.doWork();
        assertThat(beatsOf(1)).isEqualTo(beats + 1);
    }

    @Test
    void agentThatWasWokenBetweenHeartbeats_sendsTheNextHeartbeatOnTime() {
        membership.doWork();
        clock.advanceMillis(1_900);
        assertThat(Duration.ofNanos(membership.doWork())).isLessThanOrEqualTo(Duration.ofMillis(100));
    }

    @Test
    void instanceThatWasRemoved_registersUnderANewNumber() {
        membership.doWork();
        register.deregister(1);
        clock.advanceMillis(2_000);
        membership.doWork();
        assertThat(membership.number()).isEqualTo(2);
        assertThat(membership.mayStart(1))
                .as("claims under the old number are lost")
                .isFalse();
        assertThat(membership.mayStart(2)).isTrue();
        assertThat(expulsions).isEqualTo(1);
    }

    @Test
    void instanceThatWasRemoved_startsNothingBeforeItIsRegistered() {
        membership.doWork();
        register.deregister(1);
        register.registerFails = true;
        clock.advanceMillis(2_000);
        assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        assertThat(membership.number()).isZero();
        assertThat(membership.mayStart(1)).isFalse();
    }

    // ---- silent instances

    @Test
    void instanceWithoutAHeartbeatForAFullLiveness_isSilent() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        runFor(9_900);
        assertThat(numbers()).contains(other);
        runFor(200);
        assertThat(numbers()).containsExactly(membership.number());
        assertThat(membership.live())
                .extracting(sighting -> sighting.instance().number())
                .containsExactly(membership.number());
    }

    private List<Long> numbers() {
        return register.list().stream().map(InstanceRow::number).toList();
    }

    @Test
    void instanceWithoutTwoHeartbeats_isLateLongBeforeItIsRemoved() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        runFor(3_000);
        register.beat(other, false, null);
        runFor(3_900);
        assertThat(sighting(other).heart()).isEqualTo(Sighting.Heart.BEATING);
        runFor(500);
        assertThat(sighting(other).heart()).isEqualTo(Sighting.Heart.LATE);
        assertThat(sighting(other).silence()).isBetween(Duration.ofMillis(4_000), Duration.ofMillis(4_400));
        assertThat(sighting(membership.number()).heart()).isEqualTo(Sighting.Heart.BEATING);
        register.beat(other, false, null);
        runFor(1_000);
        assertThat(sighting(other).heart()).as("it is back").isEqualTo(Sighting.Heart.BEATING);
    }

    @Test
    void instanceWithoutAHeartbeatSoFar_isUnheard() {
        long died = register.register("died#1", Set.of("default"), Set.of());
        runFor(3_000);
        assertThat(sighting(died).heart()).as("may have died before").isEqualTo(Sighting.Heart.UNHEARD);
        runFor(2_000);
        assertThat(sighting(died).heart()).isEqualTo(Sighting.Heart.LATE);
        register.beat(died, false, null);
        runFor(1_000);
        assertThat(sighting(died).heart()).isEqualTo(Sighting.Heart.BEATING);
    }

    // ---- instances that join and leave

    @Test
    void joinsAndDeparturesAreReportedOnce_andEarlierInstancesAreNotReportedAsNew() {
        long before = register.register("before#1", Set.of("default"), Set.of());
        runFor(1_000);
        assertThat(rollCall).containsExactly("joined one#1");
        register.beat(before, false, null);

        register.register("silent#1", Set.of(), Set.of());
        long brief = register.register("brief#1", Set.of("default"), Set.of());
        runFor(1_000);
        register.beat(before, false, null);
        register.beat(brief, false, null);
        register.deregister(brief);
        runFor(1_000);
        assertThat(rollCall).containsExactly("joined one#1", "joined silent#1", "joined brief#1", "left brief#1");

        runFor(9_000);
        register.beat(before, false, null);
        runFor(11_000);
        assertThat(rollCall.subList(4, rollCall.size())).containsExactly("given up silent#1", "given up before#1");
    }

    @Test
    void instanceThatAnotherInstanceGaveUp_isReportedAsGivenUp() {
        long silent = register.register("silent#1", Set.of(), Set.of());
        runFor(9_000);
        register.rows.remove(silent, 0);
        runFor(1_000);

        assertThat(rollCall).containsExactly("joined one#1", "given up silent#1");
    }

    @Test
    void instanceThatLeftWhileTheRegisterCouldNotBeRead_isNotReportedAsGivenUp() {
        long other = register.register("other#1", Set.of(), Set.of());
        runFor(1_000);
        register.away = true;
        clock.advanceMillis(30_000);
        register.away = false;
        register.rows.deregister(other);
        runFor(1_000);

        assertThat(rollCall).contains("left other#1").doesNotContain("given up other#1");
    }

    @Test
    void thisInstance_learnsThatItWasGivenUp() {
        runFor(1_000);
        register.rows.remove(membership.number(), beatsOf(membership.number()));
        clock.advanceMillis(2_000);
        runFor(1_000);

        assertThat(rollCall).containsExactly("joined one#1", "joined one#1", "given up one#1");
    }

    // ---- vitals

    @Test
    void vitalsAreSentWithEachHeartbeat_andOnlyListsContainThem() {
        assertThat(register.list()).isEmpty();
        runFor(100);
        assertThat(register.list().get(0).vitals()).isEqualTo(vitals);
        assertThat(sighting(membership.number()).instance().vitals())
                .as("in a look")
                .isNull();
        vitals = null;
        runFor(2_000);
        assertThat(register.list().get(0).vitals()).isNull();
    }

    private Sighting sighting(long number) {
        return membership.live().stream()
                .filter(sighting -> sighting.instance().number() == number)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void handlers_areRegisteredWithTheInstance() {
        membership.doWork();
        assertThat(register.handlers()).containsExactly(Set.of("mail", "letter"));
    }

    @Test
    void silence_isJudgedAsSoonAsTheLivenessIsOver() {
        register.register("other#1", Set.of("default"), Set.of());
        membership.doWork();
        Duration elapsed = Duration.ZERO;
        while (register.list().size() == 2) {
            long pause = membership.doWork();
            assertThat(pause).as("no busy loop").isPositive();
            clock.advance(Duration.ofNanos(pause));
            elapsed = elapsed.plusNanos(pause);
            membership.doWork();
        }
        assertThat(elapsed).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void everyHeartbeat_restartsTheWatch() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        for (int i = 0; i < 5; i++) {
            runFor(9_000);
            register.beat(other, false, null);
        }
        assertThat(numbers()).contains(other);
        runFor(11_000);
        assertThat(numbers()).doesNotContain(other);
    }

    @Test
    void heartbeatAtTheLastMoment_preventsTheRemovalOfAnInstance() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        runFor(9_900);
        register.beatsBeforeRemoval = other;
        runFor(1_000);
        assertThat(numbers()).as("removed only if the counter has not changed").contains(other);
    }

    @Test
    void outageOfTheStore_makesNoInstanceSilent() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        runFor(6_000);
        register.away = true;
        for (int i = 0; i < 30; i++) {
            clock.advanceMillis(1_000);
            assertThatThrownBy(membership::doWork).isInstanceOf(StoreException.class);
        }
        register.away = false;
        runFor(9_000);
        assertThat(numbers()).as("the outage does not count").contains(other);
        runFor(2_000);
        assertThat(numbers()).doesNotContain(other);
    }

    @Test
    void observerThatWasDelayed_startsItsWatchesAgain() {
        long other = register.register("other#1", Set.of("default"), Set.of());
        membership.doWork();
        clock.advance(Duration.ofSeconds(60));
        membership.doWork();
        assertThat(numbers()).contains(other);
    }

    @Test
    void ownInstance_isNeverJudgedSilent() {
        membership.doWork();
        register.beatsAreNotCounted = true;
        runFor(60_000);
        assertThat(register.removals).isZero();
    }

    @Test
    void silentInstance_isRemovedByOnlyOneOfSeveralObservers() {
        Membership second = membership("two#1");
        register.register("other#1", Set.of("default"), Set.of());
        membership.doWork();
        second.doWork();
        for (int i = 0; i < 110; i++) {
            clock.advanceMillis(100);
            membership.doWork();
            second.doWork();
        }
        assertThat(register.removals).isEqualTo(1);
        assertThat(membership.live())
                .extracting(Sighting::instance)
                .isEqualTo(second.live().stream().map(Sighting::instance).toList())
                .hasSize(2);
    }

    // ---- listeners and the stop

    @Test
    void listener_isToldOfChangesOnly() {
        membership.doWork();
        assertThat(changes).as("itself").isEqualTo(1);
        runFor(10_000);
        assertThat(changes).isEqualTo(1);
        long other = register.register("other#1", Set.of("default"), Set.of());
        runFor(1_000);
        assertThat(changes).as("an instance has joined").isEqualTo(2);
        register.beat(other, false, null);
        runFor(1_000);
        assertThat(changes).as("a heartbeat is no change").isEqualTo(2);
        register.beat(other, true, null);
        runFor(1_000);
        assertThat(changes).as("it has begun to stop").isEqualTo(3);
        register.deregister(other);
        runFor(1_000);
        assertThat(changes).as("it has left").isEqualTo(4);
    }

    @Test
    void instanceThatLeavesTheRegister_isNoticed() {
        long orderly = register.register("orderly#1", Set.of("default"), Set.of());
        register.register("silent#1", Set.of("default"), Set.of());
        runFor(1_000);
        assertThat(membership.departures()).isZero();
        register.deregister(orderly);
        runFor(1_000);
        assertThat(membership.departures()).as("a regular stop").isEqualTo(1);
        runFor(10_000);
        assertThat(membership.departures()).as("removed by this instance").isEqualTo(2);
        register.deregister(membership.number());
        runFor(2_000);
        assertThat(membership.departures())
                .as("the former registration of this instance")
                .isEqualTo(3);
    }

    @Test
    void departureThatMayHaveGoneUnseen_isCounted() {
        runFor(1_000);
        clock.advance(Duration.ofSeconds(9));
        membership.doWork();
        assertThat(membership.departures()).isZero();
        clock.advance(Duration.ofSeconds(10));
        membership.doWork();
        assertThat(membership.departures()).isEqualTo(1);
        assertThat(changes).as("itself, and perhaps other instances").isEqualTo(2);
    }

    @Test
    void stop_isReportedAtOnce_andOnlyOnce() {
        membership.doWork();
        membership.stopping();
        membership.doWork();
        assertThat(register.list().get(0).stopping()).isTrue();
        long beats = beatsOf(1);
        membership.doWork();
        assertThat(beatsOf(1)).isEqualTo(beats);
    }

    @Test
    void stop_afterANewRegistration_isReportedAgain() {
        membership.doWork();
        register.deregister(1);
        membership.stopping();
        membership.doWork();
        membership.doWork();
        assertThat(register.list().get(0).stopping()).isTrue();
    }

    @Test
    void queue_isSharedByInstancesThatRunItsJobsAndAreNotStopping() {
        register.register("elsewhere#1", Set.of("other"), Set.of());
        long stopping = register.register("stopping#1", Set.of("default"), Set.of());
        register.beat(stopping, true, null);
        register.register("schedulesOnly#1", Set.of(), Set.of());
        register.register("colleague#1", Set.of("default", "other"), Set.of());
        membership.doWork();
        assertThat(membership.sharersOf("default")).isEqualTo(2);
    }

    @Test
    void queueWhoseJobsOnlyOthersRun_isNotSharedByThisInstance() {
        register.register("elsewhere#1", Set.of("other"), Set.of());
        membership.doWork();
        assertThat(membership.sharersOf("other")).isZero();
    }

    @Test
    void queueWhoseJobsNoInstanceRuns_isSharedByAll() {
        register.register("elsewhere#1", Set.of("other"), Set.of());
        register.register("schedulesOnly#1", Set.of(), Set.of());
        membership.doWork();
        assertThat(membership.sharersOf("dropped")).isEqualTo(2);
    }

    @Test
    void instanceThatLeaves_isNotRegisteredAndStartsNothing() {
        membership.doWork();
        membership.leave();
        membership.leave();
        assertThat(register.list()).isEmpty();
        assertThat(membership.mayStart(1)).isFalse();
    }

    /** Calls the agent at the times that it returns, and also every tenth of a second. */
    private void runFor(long millis) {
        if (membership.number() == 0) {
            membership.doWork();
        }
        for (long i = 0; i < millis; i += 100) {
            clock.advanceMillis(100);
            membership.doWork();
        }
    }

    private long beatsOf(long number) {
        return register.list().stream()
                .filter(row -> row.number() == number)
                .findFirst()
                .orElseThrow()
                .beats();
    }

    /** A register that can fail as the test wants. */
    private final class Register implements InstanceStore {

        private final InstanceStore rows;
        private boolean away;
        private boolean answersLost;
        private boolean registerFails;
        private boolean acknowledgementFails;
        private boolean acknowledgementAnswersLost;
        private Runnable afterLook = () -> {};
        private boolean beatsAreNotCounted;
        private long beatsBeforeRemoval;
        private long beatTakesMillis;
        private int removals;

        Register(InstanceStore rows) {
            this.rows = rows;
        }

        private void checkThere() {
            if (away) {
                throw StoreException.unavailable("away", new IllegalStateException());
            }
        }

        @Override
        public long register(String incarnation, Set<String> queues, Set<Set<String>> handlers) {
            checkThere();
            if (registerFails) {
                throw StoreException.unavailable("no room", new IllegalStateException());
            }
            return rows.register(incarnation, queues, handlers);
        }

        @Override
        public OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals) {
            checkThere();
            if (beatsAreNotCounted) {
                return OptionalLong.of(clock.storeMicros());
            }
            OptionalLong answer = rows.beat(number, stopping, vitals);
            clock.advanceMillis(beatTakesMillis);
            if (answersLost) {
                answersLost = false;
                throw StoreException.unavailable("no answer", new IllegalStateException());
            }
            return answer;
        }

        @Override
        public ClusterView look(long number) {
            checkThere();
            ClusterView view = rows.look(number);
            afterLook.run();
            return view;
        }

        @Override
        public List<InstanceRow> list() {
            return rows.list();
        }

        @Override
        public Map<Long, Set<Set<String>>> handlersByInstance() {
            return rows.handlersByInstance();
        }

        @Override
        public void forgetCancellations(long number, Collection<JobId> jobs) {
            checkThere();
            rows.forgetCancellations(number, jobs);
        }

        @Override
        public void acknowledgePauses(long number, long fingerprint) {
            checkThere();
            if (acknowledgementFails) {
                throw StoreException.unavailable("locked", new IllegalStateException());
            }
            rows.acknowledgePauses(number, fingerprint);
            if (acknowledgementAnswersLost) {
                throw StoreException.unavailable("no answer", new IllegalStateException());
            }
        }

        @Override
        public boolean remove(long number, long beats) {
            checkThere();
            if (beatsBeforeRemoval == number) {
                rows.beat(number, false, null);
            }
            boolean removed = rows.remove(number, beats);
            removals += removed ? 1 : 0;
            return removed;
        }

        @Override
        public void deregister(long number) {
            checkThere();
            rows.deregister(number);
        }
    }
}
