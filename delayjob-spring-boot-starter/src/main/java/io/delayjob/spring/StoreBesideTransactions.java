package io.delayjob.spring;

import io.delayjob.job.AnswerResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Completion;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobMove;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.ForwardingJobStore;
import io.delayjob.store.JobGroups;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * A store that cannot join transactions. Within a transaction, a call that makes a change waits for the commit, or is
 * refused. Reads do not show the effect of waiting calls.
 */
final class StoreBesideTransactions extends ForwardingJobStore {

    private static final Logger log = LoggerFactory.getLogger(StoreBesideTransactions.class);

    private static final int MOST_NAMED = 5;

    private final InTransaction choice;
    private final BooleanSupplier beside;
    private final String advice;

    StoreBesideTransactions(JobStore store, InTransaction choice, BooleanSupplier beside, String advice) {
        super(store);
        this.choice = choice;
        this.beside = beside;
        this.advice = advice;
    }

    /** Returns {@code null} if this thread has no transaction, or has a transaction that the store can join. */
    private @Nullable WaitingCalls waiting(Supplier<String> call) {
        if (!beside.getAsBoolean()) {
            return null;
        }
        checkAllowed(call);
        return WaitingCalls.ofTransaction(target);
    }

    private void checkAllowed(Supplier<String> call) {
        if (choice == InTransaction.REFUSE && beside.getAsBoolean()) {
            throw StoreException.refused(
                    "Refused to %s within a transaction: the job store (%s) cannot join it. %s"
                            .formatted(call.get(), target, advice),
                    new IllegalTransactionStateException("a transaction that the job store cannot join"));
        }
    }

    @Override
    public List<Scheduled> submit(List<NewJob> jobs, DueSink committed) {
        WaitingCalls calls = waiting(() -> scheduling(jobs));
        if (calls == null) {
            return target.submit(jobs, committed);
        }
        checkKeys(jobs, calls);
        calls.add(new WaitingCall(scheduling(jobs), jobs, () -> target.submit(jobs, committed)));
        return jobs.stream().map(StoreBesideTransactions::foretold).toList();
    }

    @Override
    public Scheduled submitOnce(NewJob job, DueSink committed) {
        List<NewJob> jobs = List.of(job);
        WaitingCalls calls = waiting(() -> scheduling(jobs));
        if (calls == null) {
            return target.submitOnce(job, committed);
        }
        Optional<Job> present = target.find(job.id());
        if (present.isPresent()) {
            return new Scheduled(job.id(), Scheduled.Outcome.KEPT, present.get().state());
        }
        checkKeys(jobs, calls);
        calls.add(new WaitingCall(scheduling(jobs), jobs, () -> target.submitOnce(job, committed)));
        return foretold(job);
    }

    private static Scheduled foretold(NewJob job) {
        return new Scheduled(job.id(), Scheduled.Outcome.ON_COMMIT, JobState.DELAYED);
    }

    private static String scheduling(List<NewJob> jobs) {
        String named = jobs.stream()
                .limit(MOST_NAMED)
                .map(job -> job.key() == null
                        ? "'%s' (%s)".formatted(job.name(), job.id())
                        : "'%s' with key '%s' (%s)".formatted(job.name(), job.key(), job.id()))
                .collect(Collectors.joining(", ", "schedule ", ""));
        return jobs.size() > MOST_NAMED ? "%s and %d more".formatted(named, jobs.size() - MOST_NAMED) : named;
    }

    /** Checks the keys before the commit, because after the commit, the transaction cannot be rolled back. */
    private void checkKeys(List<NewJob> jobs, WaitingCalls calls) {
        if (jobs.stream().noneMatch(StoreBesideTransactions::needsFreeKey)) {
            return;
        }
        Set<List<String>> taken = new HashSet<>(calls.keys());
        for (NewJob job : jobs) {
            String key = job.key();
            boolean isFree = key == null || taken.add(List.of(job.name(), key));
            if (key != null && needsFreeKey(job) && (!isFree || isTaken(job.name(), key, calls))) {
                throw new JobExistsException(job.name(), key);
            }
        }
    }

    private static boolean needsFreeKey(NewJob job) {
        return job.key() != null && job.onExisting() == OnExisting.FAIL;
    }

    private boolean isTaken(String name, String key, WaitingCalls calls) {
        return !calls.mayFreeKeys()
                && target.find(name, key).filter(job -> !job.state().isEnded()).isPresent();
    }

    /** @param foretold the result that is known before the commit */
    private <T> T change(Supplier<String> call, Supplier<T> change, Supplier<T> foretold) {
        WaitingCalls calls = waiting(call);
        if (calls == null) {
            return change.get();
        }
        calls.add(new WaitingCall(call.get(), List.of(), () -> {
            T unusedBecauseForetold = change.get();
        }));
        return foretold.get();
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return change(() -> "cancel job " + id, () -> target.cancel(id, now), () -> CancelResult.ON_COMMIT);
    }

    @Override
    public CancelResult cancel(String name, String key, Instant now) {
        return change(
                () -> "cancel job '%s' with key '%s'".formatted(name, key),
                () -> target.cancel(name, key, now),
                () -> CancelResult.ON_COMMIT);
    }

    @Override
    public void withdraw(JobId id, Instant now) {
        WaitingCalls calls = waiting(() -> "withdraw job " + id);
        if (calls == null) {
            target.withdraw(id, now);
        } else {
            calls.add(new WaitingCall("withdraw job " + id, List.of(), () -> target.withdraw(id, now)));
        }
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant due, long freshToken, DueSink committed) {
        return change(
                () -> "reschedule job " + id,
                () -> target.reschedule(id, due, freshToken, committed),
                () -> ChangeResult.ON_COMMIT);
    }

    @Override
    public ChangeResult retry(JobId id, Instant due, long freshToken, DueSink committed) {
        return change(
                () -> "retry job " + id,
                () -> target.retry(id, due, freshToken, committed),
                () -> ChangeResult.ON_COMMIT);
    }

    @Override
    public AnswerResult answer(JobId id, Function<Job, @Nullable Completion> end, Consumer<Completion> committed) {
        WaitingCalls calls = waiting(() -> "answer job " + id);
        if (calls == null) {
            return target.answer(id, end, committed);
        }
        calls.add(new WaitingCall("answer job " + id, List.of(), () -> {
            AnswerResult result = target.answer(id, end, committed);
            if (result != AnswerResult.TAKEN) {
                log.info(
                        "The answer to job {} had no effect: {}. The application does not see this outcome, because it "
                                + "answered in a transaction, and delayjob passed the answer on only after the commit.",
                        id,
                        result);
            }
        }));
        return AnswerResult.ON_COMMIT;
    }

    @Override
    public List<CancelResult> cancelAll(List<JobId> ids, Instant now) {
        return change(
                () -> "cancel %d jobs".formatted(ids.size()),
                () -> target.cancelAll(ids, now),
                () -> Collections.nCopies(ids.size(), CancelResult.ON_COMMIT));
    }

    @Override
    public Map<JobId, CancelResult> cancelWaiting(List<JobId> ids, Instant now) {
        return change(
                () -> "cancel %d waiting jobs".formatted(ids.size()),
                () -> target.cancelWaiting(ids, now),
                () -> allOnCommit(ids));
    }

    @Override
    public Map<JobId, CancelResult> cancelAwaiting(List<JobId> ids, Instant now) {
        return change(
                () -> "cancel %d jobs that await answers".formatted(ids.size()),
                () -> target.cancelAwaiting(ids, now),
                () -> allOnCommit(ids));
    }

    private static Map<JobId, CancelResult> allOnCommit(List<JobId> ids) {
        return ids.stream().collect(Collectors.toMap(Function.identity(), id -> CancelResult.ON_COMMIT));
    }

    @Override
    public List<ChangeResult> rescheduleAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return change(
                () -> "reschedule %d jobs".formatted(moves.size()),
                () -> target.rescheduleAll(moves, freshToken, committed),
                () -> Collections.nCopies(moves.size(), ChangeResult.ON_COMMIT));
    }

    @Override
    public List<ChangeResult> retryAll(List<JobMove> moves, long freshToken, DueSink committed) {
        return change(
                () -> "retry %d jobs".formatted(moves.size()),
                () -> target.retryAll(moves, freshToken, committed),
                () -> Collections.nCopies(moves.size(), ChangeResult.ON_COMMIT));
    }

    @Override
    public boolean pause(Paused what, PauseNote note, Runnable committed) {
        return change(
                () -> "pause " + what,
                () -> target.pause(what, note, committed),
                () -> !what.without(target.paused()).isEmpty());
    }

    @Override
    public boolean resume(Paused what, Runnable committed) {
        return change(
                () -> "resume " + what,
                () -> target.resume(what, committed),
                () -> !what.without(what.without(target.paused())).isEmpty());
    }

    @Override
    public JobGroups groups() {
        return new GroupsBesideTransactions(target.groups());
    }

    /**
     * A new group is written before the commit, because calls that wait for the commit need the id of the group. After
     * a rollback, the empty group does no harm.
     */
    private final class GroupsBesideTransactions implements JobGroups {

        private final JobGroups groups;

        GroupsBesideTransactions(JobGroups groups) {
            this.groups = groups;
        }

        @Override
        public GroupRef enter(GroupRef proposed, Instant now) {
            // A refused call must not leave a group.
            checkAllowed(() -> "change group '%s'".formatted(proposed.name()));
            return groups.enter(proposed, now);
        }

        @Override
        public Optional<GroupStatus> find(String name) {
            return groups.find(name);
        }

        @Override
        public List<GroupStatus> unended(int limit) {
            return groups.unended(limit);
        }

        @Override
        public List<GroupStatus> ended(int limit) {
            return groups.ended(limit);
        }

        @Override
        public @Nullable GroupState close(GroupRef group, @Nullable GroupJob whenAllEnded) {
            return changeGroup(
                    "close", group, state -> state == GroupState.OPEN, () -> groups.close(group, whenAllEnded));
        }

        @Override
        public @Nullable GroupJob whenAllEnded(GroupRef group) {
            return groups.whenAllEnded(group);
        }

        @Override
        public @Nullable GroupState whenAnyFails(GroupRef group, GroupJob job) {
            return changeGroup("change", group, GroupState::takesMembers, () -> groups.whenAnyFails(group, job));
        }

        @Override
        public @Nullable GroupState cancel(GroupRef group) {
            return changeGroup("cancel", group, GroupState::takesMembers, () -> groups.cancel(group));
        }

        private @Nullable GroupState changeGroup(
                String verb, GroupRef group, Predicate<GroupState> which, Supplier<@Nullable GroupState> change) {
            String call = "%s group '%s'".formatted(verb, group.name());
            WaitingCalls calls = waiting(() -> call);
            if (calls == null) {
                return change.get();
            }
            calls.add(new WaitingCall(call, List.of(), () -> {
                GroupState before = change.get();
                if (before == null || !which.test(before)) {
                    log.warn(
                            "A call to {} changed nothing. It was carried out only after the commit of the "
                                    + "caller's transaction, and by then the group was closed, cancelled or ended.",
                            call);
                }
            }));
            return GroupState.OPEN;
        }

        @Override
        public boolean fold(Instant now, long freshToken, DueSink committed, Consumer<GroupStatus> ended) {
            return groups.fold(now, freshToken, committed, ended);
        }

        @Override
        public int purge(Instant before, int limit) {
            return groups.purge(before, limit);
        }
    }
}
