package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.KeyRule;
import io.delayjob.handler.Next;
import io.delayjob.internal.limit.SlotDeal;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.schedule.Repeat;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests versions of an application that declare the same handler, one after the other or at the same time. */
class DeclaredJobsTest {

    private static final String KEY = "@schedule";
    private static final Repeat HOURLY = Repeat.every(Duration.ofHours(1));
    private static final Repeat DAILY = Repeat.every(Duration.ofDays(1));

    private final StandingClock clock = new StandingClock();
    private final MemoryJobStore store = new MemoryJobStore(() -> clock.storeMillis() * 1_000);
    private final Random random = new Random(42);

    private final Version first = new Version("clean", Set.of(), "default");
    private final Version second = new Version("purge", Set.of("clean"), "default");
    private final Version third = new Version("purge", Set.of(), "default");

    /** A version of the application, whose instances start and stop. */
    private final class Version {

        private final HandlerRegistry handlers = new HandlerRegistry();
        private final String name;
        private final JobOperations jobs;

        Version(String name, Set<String> formerNames, String queue) {
            this(Handler.named(name).formerNames(formerNames).queue(queue).calls((arguments, job) -> null));
        }

        Version(Handler handler) {
            name = handler.name();
            handlers.register(handler);
            EngineSettings settings = EngineSettings.defaults("test");
            jobs = new JobOperations(
                    Parts.of(settings, store, handlers, clock, new JobListeners(List.of()), random),
                    TraceSource.NONE,
                    new KnownNames(settings, store, handlers),
                    new EngineLinks(
                            rows -> {},
                            paused -> {},
                            (draft, id, dueMillis) -> new Partition(draft.queue(), indexFor(handler)),
                            () -> {},
                            job -> Optional.empty(),
                            job -> Optional.empty()));
        }

        private int indexFor(Handler handler) {
            SlotDeal deal = SlotDeal.of(handler, 8);
            return deal == null ? 0 : deal.partitionOf(0);
        }

        /** Starts an instance, which keeps running. */
        long starts(Repeat repeat) {
            declares(repeat);
            return store.instances().register(name, Set.of("default"), handlers.allNames());
        }

        /** Starts an instance and stops it again. */
        void declares(Repeat repeat) {
            clock.advance(Duration.ofMinutes(1));
            jobs.declare(name, repeat);
        }
    }

    private List<Job> unfinished() {
        return store.find(JobQuery.all(), clock.storeTime()).stream()
                .filter(job -> !job.state().isEnded())
                .toList();
    }

    private Job only(String name) {
        assertThat(unfinished()).as("otherwise both jobs would run").singleElement();
        Job job = unfinished().get(0);
        assertThat(job.name()).isEqualTo(name);
        assertThat(job.key()).isEqualTo(KEY);
        return job;
    }

    private Job claim(Job job) {
        DueRow row = job.toDueRow();
        return store.claim(List.of(row), 1, row.token() + 1, clock.storeTime()).get(0);
    }

    private void finish(Job running) {
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Succeeded(),
                new Transition.Ended(JobState.FINISHED),
                random.nextLong(),
                clock.storeTime(),
                null,
                true,
                List.of())));
    }

    @Test
    void firstStart_writesTheJob() {
        first.declares(HOURLY);

        Job job = only("clean");
        assertThat(job.schedule()).isEqualTo(HOURLY.toText());
        assertThat(job.dueAt()).isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));
    }

    @Test
    void restart_leavesTheJobAlone() {
        first.declares(HOURLY);
        Job before = only("clean");

        first.declares(HOURLY);

        assertThat(only("clean")).isEqualTo(before);
    }

    @Test
    void changedExpression_isWritten() {
        first.declares(HOURLY);
        first.declares(DAILY);

        assertThat(only("clean").schedule()).isEqualTo(DAILY.toText());
    }

    @Test
    void changedQueue_isWritten() {
        first.declares(HOURLY);
        new Version("clean", Set.of(), "night").declares(HOURLY);

        assertThat(only("clean").partition().queue()).isEqualTo("night");
    }

    @Test
    void changedMutex_isWritten() {
        first.declares(HOURLY);

        new Version(clean(arguments -> "books")).declares(HOURLY);
        assertThat(only("clean").mutex()).isEqualTo("books");
        Job before = only("clean");
        new Version(clean(arguments -> "books")).declares(HOURLY);
        assertThat(only("clean")).isEqualTo(before);

        new Version(clean(arguments -> "ledger")).declares(HOURLY);
        assertThat(only("clean").mutex()).isEqualTo("ledger");
        first.declares(HOURLY);
        assertThat(only("clean").mutex()).isNull();
    }

    @Test
    void newLimitInTheCluster_movesTheJobToAPartitionWithASlot() {
        for (int i = 0; i < 10; i++) {
            String name = "clean-" + i;
            new Version(name, Set.of(), "default").declares(HOURLY);
            Handler limited = Handler.named(name)
                    .concurrency(1)
                    .scope(ConcurrencyScope.CLUSTER)
                    .calls((arguments, job) -> null);

            new Version(limited).declares(HOURLY);

            Job moved = store.find(name, KEY).orElseThrow();
            assertThat(SlotDeal.of(limited, 8).slotsOf(moved.partition().index()))
                    .isEqualTo(1);
            new Version(limited).declares(HOURLY);
            assertThat(store.find(name, KEY).orElseThrow()).isEqualTo(moved);
        }
    }

    private static Handler clean(KeyRule mutex) {
        return Handler.named("clean").mutex(mutex).calls((arguments, job) -> null);
    }

    @Test
    void changedExpressionOfAJobThatRuns_isWrittenBesideIt() {
        first.declares(HOURLY);
        Job running = claim(only("clean"));

        first.declares(DAILY);

        assertThat(unfinished()).hasSize(2);
        assertThat(store.find(running.id()))
                .get()
                .satisfies(job -> assertThat(job.cancelRequested()).isTrue());
        assertThat(store.find("clean", KEY)).get().extracting(Job::schedule).isEqualTo(DAILY.toText());
    }

    @Test
    void jobThatEnded_startsAnew() {
        first.declares(HOURLY);
        finish(claim(only("clean")));

        first.declares(HOURLY);

        only("clean");
    }

    @Test
    void cancelledByHand_staysCancelled() {
        first.declares(HOURLY);
        first.jobs.cancel("clean", KEY);

        first.declares(HOURLY);
        first.declares(DAILY);

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void cancelledUnderItsFormerName_staysCancelled() {
        first.declares(HOURLY);
        first.jobs.cancel("clean", KEY);

        second.declares(HOURLY);
        first.declares(HOURLY);
        second.declares(HOURLY);

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void cancelledAfterTheRename_staysCancelledInThatVersion() {
        first.declares(HOURLY);
        second.declares(HOURLY);
        assertThat(second.jobs.cancel("purge", KEY)).isEqualTo(CancelResult.CANCELLED);

        second.declares(HOURLY);
        third.declares(HOURLY);

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void scheduledAgainAfterACancellation_isNoLongerCancelled() {
        first.declares(HOURLY);
        first.jobs.cancel("clean", KEY);
        clock.advance(Duration.ofMinutes(1));
        second.jobs.schedule("purge").key(KEY).repeat(HOURLY);
        second.declares(HOURLY);
        finish(claim(only("purge")));

        second.declares(HOURLY);

        only("purge");
    }

    @Test
    void renamed_movesToItsNewNameAndLeavesNothingBehind() {
        first.declares(HOURLY);
        Job former = only("clean");

        second.declares(HOURLY);

        only("purge");
        assertThat(store.find("clean", KEY)).isEmpty();
        assertThat(store.find(former.id()))
                .get()
                .satisfies(job -> assertThat(job.state()).isEqualTo(JobState.CANCELLED));
        assertThat(store.purgeHistory(JobState.CANCELLED, clock.storeTime().plusSeconds(1), 10))
                .as("nobody cancelled it by hand")
                .isOne();
    }

    @Test
    void renameThatIsTakenBack_startsTheOldNameAgain() {
        first.declares(HOURLY);
        second.declares(HOURLY);

        first.declares(HOURLY);

        assertThat(store.find("clean", KEY)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @Test
    void renameThatIsTakenBackAndDeployedAgain_leavesOneJob() {
        first.declares(HOURLY);
        for (int i = 0; i < 3; i++) {
            second.declares(HOURLY);
            only("purge");
            first.declares(HOURLY);
        }
        second.declares(HOURLY);

        only("purge");
        third.declares(HOURLY);
        only("purge");
    }

    @Test
    void jobOfTheOldNameThatWasScheduledAgain_doesNotRunTogetherWithTheNewJob() {
        first.declares(HOURLY);
        second.declares(HOURLY);
        first.jobs.schedule("clean").key(KEY).repeat(HOURLY);

        second.declares(HOURLY);

        only("purge");
        assertThat(store.find("clean", KEY)).isEmpty();
    }

    @Test
    void whileAnOlderVersionRuns_bothShareOneJob() {
        long older = first.starts(HOURLY);
        Job job = only("clean");

        for (int i = 0; i < 3; i++) {
            second.starts(HOURLY);
            assertThat(only("clean")).isEqualTo(job);
            first.declares(HOURLY);
            assertThat(only("clean")).isEqualTo(job);
        }
        store.instances().deregister(older);
        second.starts(HOURLY);

        only("purge");
    }

    @Test
    void whileAnOlderVersionRuns_aChangedExpressionIsWrittenToTheSharedJob() {
        first.starts(HOURLY);
        Job before = only("clean");

        second.starts(DAILY);

        Job after = only("clean");
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(after.schedule()).isEqualTo(DAILY.toText());
    }

    @Test
    void whileAnOlderVersionRuns_itsJobIsKept() {
        second.declares(HOURLY);
        first.starts(HOURLY);
        assertThat(unfinished())
                .as("the older version does not know the new name")
                .hasSize(2);

        second.starts(HOURLY);

        only("clean");
        assertThat(store.find("purge", KEY)).isEmpty();
    }

    @Test
    void whileVersionsWithThreeNamesRun_theyShareTheJobWhoseNameAllKnow() {
        Version zeroth = new Version("sweep", Set.of(), "default");
        Version between = new Version("clean", Set.of("sweep"), "default");
        Version last = new Version("purge", Set.of("clean", "sweep"), "default");
        long oldest = zeroth.starts(HOURLY);
        long middle = between.starts(HOURLY);
        last.starts(HOURLY);
        only("sweep");

        store.instances().deregister(oldest);
        last.declares(HOURLY);
        only("sweep");
        between.declares(HOURLY);
        only("clean");
        last.declares(HOURLY);
        only("clean");

        store.instances().deregister(middle);
        last.declares(HOURLY);
        only("purge");
    }

    @Test
    void jobThatRuns_keepsItsNameUntilItWaitsAgain() {
        first.declares(HOURLY);
        Job running = claim(only("clean"));

        second.declares(HOURLY);
        assertThat(only("clean")).as("its retries must continue").isEqualTo(running);

        store.release(List.of(running.toDueRow()), running.token(), 7, clock.storeTime());
        second.declares(HOURLY);
        only("purge");
    }

    @Test
    void jobThatFailed_keepsItsNameUntilItsRetriesAreOver() {
        first.declares(HOURLY);
        clock.advance(Duration.ofHours(1));
        Job running = claim(only("clean"));
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Succeeded(),
                new Transition.Again(1, running.plannedAt(), clock.storeTime().plus(Duration.ofMinutes(16)), 1),
                random.nextLong(),
                clock.storeTime(),
                null,
                true,
                List.of())));
        Job retried = only("clean");

        second.declares(HOURLY);
        assertThat(only("clean")).as("a run is due").isEqualTo(retried);

        clock.advance(Duration.ofMinutes(16));
        claim(retried);
        Job again = only("clean");
        store.complete(List.of(new Completion(
                again,
                new JobOutcome.Succeeded(),
                new Transition.Again(
                        2,
                        again.plannedAt().plus(Duration.ofHours(1)),
                        again.plannedAt().plus(Duration.ofHours(1)),
                        0),
                random.nextLong(),
                clock.storeTime(),
                null,
                true,
                List.of())));
        second.declares(HOURLY);
        only("purge");
    }

    @Test
    void changedExpressionOfARenamedJobThatRuns_isWrittenUnderItsNewName() {
        first.declares(HOURLY);
        claim(only("clean"));

        second.declares(DAILY);

        assertThat(store.find("clean", KEY)).isEmpty();
        assertThat(store.find("purge", KEY)).get().extracting(Job::schedule).isEqualTo(DAILY.toText());
    }

    @Test
    void instancesThatDecidedDifferently_agreeWhenTheyLookAgain() {
        second.declares(HOURLY);
        first.jobs.schedule("clean").key(KEY).repeat(HOURLY);

        assertThat(second.jobs.declare("purge", HOURLY)).as("changed").isTrue();
        only("purge");
        assertThat(second.jobs.declare("purge", HOURLY)).as("changed").isFalse();
    }

    @Test
    void jobThatIsDue_keepsItsNameUntilItHasRun() {
        first.declares(HOURLY);
        Job overdue = only("clean");
        clock.advance(Duration.ofHours(1));

        second.declares(HOURLY);

        assertThat(only("clean")).isEqualTo(overdue);
    }

    @Test
    void jobThatIsSnoozed_keepsItsName() {
        first.declares(HOURLY);
        clock.advance(Duration.ofHours(1));
        Job running = claim(only("clean"));
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Snoozed(Duration.ofMinutes(16)),
                new Transition.Again(1, running.plannedAt(), clock.storeTime().plus(Duration.ofMinutes(16)), 0),
                random.nextLong(),
                clock.storeTime(),
                null,
                true,
                List.of())));

        second.declares(HOURLY);

        only("clean");
    }

    @Test
    void moved_isPlannedForTheSameTime() {
        first.declares(DAILY);
        Job before = only("clean");
        clock.advance(Duration.ofHours(23));

        second.declares(DAILY);

        assertThat(only("purge").dueAt()).isEqualTo(before.dueAt());
        assertThat(only("purge").plannedAt()).isEqualTo(before.plannedAt());
    }

    @Test
    void movedByTheCalendar_isPlannedAnew() {
        Repeat monthly = Repeat.every(Period.ofMonths(1));
        first.declares(monthly);
        clock.advance(Duration.ofDays(14));

        second.declares(monthly);

        Job after = only("purge");
        assertThat(after.dueAt())
                .as("months count from the time at which it was scheduled")
                .isEqualTo(monthly.first(clock.storeTime()).orElseThrow());
    }

    @Test
    void movedToAnotherQueue_isPlannedForTheSameTime() {
        first.declares(DAILY);
        Job before = only("clean");
        clock.advance(Duration.ofHours(23));

        new Version("clean", Set.of(), "night").declares(DAILY);

        assertThat(only("clean").partition().queue()).isEqualTo("night");
        assertThat(only("clean").dueAt()).isEqualTo(before.dueAt());
    }

    @Test
    void renameThatIsTakenBackWhileTheNewerVersionRuns_leavesOneJobForBoth() {
        second.starts(DAILY);
        Job newer = only("purge");
        clock.advance(Duration.ofHours(23));

        first.starts(DAILY);
        assertThat(only("clean").dueAt()).isEqualTo(newer.dueAt());
        first.starts(DAILY);
        only("clean");
        second.starts(DAILY);
        only("clean");
    }

    @Test
    void renameThatIsTakenBackWhileARunIsDue_keepsTheRun() {
        second.starts(HOURLY);
        Job overdue = only("purge");
        clock.advance(Duration.ofHours(1));

        first.starts(HOURLY);

        assertThat(only("clean").plannedAt()).isEqualTo(overdue.plannedAt());
        assertThat(only("clean").dueAt()).as("at once").isEqualTo(clock.storeTime());
    }

    @Test
    void renameThatIsTakenBackWhileTheJobRuns_isNotRunTwice() {
        second.starts(HOURLY);
        clock.advance(Duration.ofHours(1));
        Job running = claim(only("purge"));

        first.starts(HOURLY);

        assertThat(store.find(running.id()))
                .get()
                .satisfies(job -> assertThat(job.cancelRequested())
                        .as("no further attempt follows")
                        .isTrue());
        assertThat(store.find("clean", KEY))
                .get()
                .extracting(Job::dueAt)
                .isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));
    }

    @Test
    void cancelledUnderTheNameOfANewerVersionThatRuns_staysCancelled() {
        second.starts(HOURLY);
        second.jobs.cancel("purge", KEY);

        first.starts(HOURLY);

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void handlerWhoseNameIsAFormerNameElsewhere_doesNotAffectOtherHandlersOfItsVersion() {
        // The newer version has merged two handlers into one.
        second.starts(HOURLY);
        Job merged = only("purge");
        first.handlers.register(Handler.named("purge").calls((arguments, job) -> null));

        first.starts(HOURLY);

        assertThat(store.find("purge", KEY)).contains(merged);
        assertThat(store.find("clean", KEY)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @Test
    void secondJobThatRuns_getsNoFurtherAttempt() {
        first.declares(HOURLY);
        second.declares(HOURLY);
        first.declares(HOURLY);
        Job running = claim(store.find("clean", KEY).orElseThrow());

        second.declares(HOURLY);

        assertThat(store.find("clean", KEY)).isEmpty();
        assertThat(store.find(running.id())).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(job.cancelRequested()).isTrue();
        });
        assertThat(store.find("purge", KEY)).get().extracting(Job::state).isEqualTo(JobState.DELAYED);
    }

    @Test
    void plannedMoreThanAPeriodBeyondItsNextRun_isPlannedAnew() {
        first.declares(HOURLY);
        Job before = only("clean");
        first.jobs.reschedule(before.id(), Duration.ofDays(1_000));

        first.declares(HOURLY);

        Job repaired = only("clean");
        assertThat(repaired.id()).isEqualTo(before.id());
        assertThat(repaired.dueAt()).isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));
        assertThat(first.jobs.declare("clean", HOURLY)).as("changed again").isFalse();
    }

    @Test
    void postponedByHandByLessThanAPeriod_keepsItsTime() {
        first.declares(HOURLY);
        first.jobs.reschedule(only("clean").id(), Duration.ofMinutes(115));
        Job putOff = only("clean");

        first.declares(HOURLY);

        assertThat(only("clean")).isEqualTo(putOff);
    }

    @Test
    void runByAClockThatWasYearsAhead_isPlannedAnewInAnotherQueueAndUnderAnotherName() {
        clock.advance(Duration.ofDays(1_000));
        first.declares(HOURLY);
        clock.advance(Duration.ofDays(-1_000));

        new Version("clean", Set.of(), "night").declares(HOURLY);
        assertThat(only("clean").dueAt()).isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));

        clock.advance(Duration.ofDays(1_000));
        first.declares(HOURLY);
        first.declares(HOURLY);
        clock.advance(Duration.ofDays(-1_000));
        second.declares(HOURLY);
        assertThat(only("purge").dueAt()).isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));
    }

    @Test
    void handlerThatMayChooseItsNextRun_isNotPlannedAgain() {
        Version polling = new Version(Handler.named("poll")
                .method(new HandlerMethod(DeclaredJobsTest.class, "poll", "()Lio/delayjob/handler/Next;"))
                .calls((arguments, job) -> Next.after(Duration.ofDays(7))));
        polling.declares(HOURLY);
        clock.advance(Duration.ofHours(1));
        Job running = claim(only("poll"));
        Instant inAWeek = clock.storeTime().plus(Duration.ofDays(7));
        store.complete(List.of(new Completion(
                running,
                new JobOutcome.Continued(Duration.ofDays(7)),
                new Transition.Again(2, inAWeek, inAWeek, 0),
                random.nextLong(),
                clock.storeTime(),
                null,
                true,
                List.of())));
        Job putOff = only("poll");

        polling.declares(HOURLY);
        assertThat(only("poll")).isEqualTo(putOff);

        clock.advance(Duration.ofDays(-1));
        polling.declares(HOURLY);
        assertThat(only("poll").dueAt())
                .as("its last run was at a future time")
                .isEqualTo(clock.storeTime().plus(Duration.ofHours(1)));
    }

    @Test
    void switchedOff_withdrawsTheJobAndStartsAnewLater() {
        first.declares(HOURLY);
        Job before = only("clean");

        assertThat(first.jobs.undeclare("clean")).isTrue();

        assertThat(unfinished()).isEmpty();
        assertThat(store.find(before.id())).get().extracting(Job::state).isEqualTo(JobState.CANCELLED);
        assertThat(first.jobs.undeclare("clean")).as("changed again").isFalse();
        first.declares(HOURLY);
        only("clean");
    }

    @Test
    void switchedOffWhileItRuns_getsNoFurtherAttempt() {
        first.declares(HOURLY);
        Job running = claim(only("clean"));

        first.jobs.undeclare("clean");

        assertThat(store.find(running.id())).get().satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(job.cancelRequested()).isTrue();
        });
        assertThat(first.jobs.undeclare("clean")).as("changed again").isFalse();
    }

    @Test
    void switchedOffAfterARename_withdrawsTheJobOfTheFormerName() {
        first.declares(HOURLY);

        second.jobs.undeclare("purge");

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void switchedOffAfterACancellation_staysCancelled() {
        first.declares(HOURLY);
        first.jobs.cancel("clean", KEY);

        assertThat(first.jobs.undeclare("clean")).isFalse();
        first.declares(HOURLY);

        assertThat(unfinished()).isEmpty();
    }

    @Test
    void handlerThatIsNotHere_isRefused() {
        assertThatThrownBy(() -> second.jobs.declare("clean", HOURLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'clean'");
    }
}
