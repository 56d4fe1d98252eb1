package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.job.ChainStep;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import io.delayjob.schedule.Stated;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Turns drafts into new jobs, and writes them. Thread-safe. */
final class JobWriter {

    private final JobStore store;
    private final JobPlacement placement;
    private final PartitionProposal partitions;
    private final RandomGenerator random;
    private final TraceSource traces;
    private final DueSink nearDue;
    private final JobListeners listeners;
    private final GroupWriter groups;

    JobWriter(
            JobStore store,
            PartitionProposal partitions,
            RandomGenerator random,
            TraceSource traces,
            DueSink nearDue,
            JobListeners listeners,
            GroupWriter groups) {
        this.store = store;
        this.placement = store.placement();
        this.partitions = partitions;
        this.random = random;
        this.traces = traces;
        this.nearDue = nearDue;
        this.listeners = listeners;
        this.groups = groups;
    }

    GroupWriter groups() {
        return groups;
    }

    JobId whenAllEnded(String group, Draft draft, JobPlan plan) {
        groups.check(group);
        NewJob job = waiting(draft.following(group), plan);
        return draft.id() == null ? groups.close(group, job) : groups.closeOnce(group, job);
    }

    JobId whenAnyFails(String group, Draft draft, JobPlan plan) {
        groups.check(group);
        NewJob job = waiting(draft.following(group), plan);
        return draft.id() == null ? groups.whenAnyFails(group, job) : groups.whenAnyFailsOnce(group, job);
    }

    private NewJob waiting(Draft draft, JobPlan plan) {
        return row(Objects.requireNonNullElseGet(draft.id(), () -> newId(plan)), draft, plan, traces.current());
    }

    private JobId newId(JobPlan plan) {
        return JobId.create(plan.scheduledAt().toEpochMilli(), random);
    }

    JobId checkGiven(JobId id) {
        Stated.notNull(id, "job id", "must be a UUID that no other job has; leave it out for one from delayjob");
        if (!store.capabilities().has(StoreCapability.GIVEN_IDS)) {
            throw new IllegalArgumentException(
                    "Invalid job id %s: must be left out, because the job store (%s) does not %s; use a key instead."
                            .formatted(id, store, StoreCapability.GIVEN_IDS.ability()));
        }
        return id;
    }

    Scheduled write(Draft stated, JobPlan plan) {
        Draft draft = joining(stated, plan);
        JobId given = draft.id();
        if (given != null) {
            return writeOnce(row(given, draft, plan, traces.current()));
        }
        return submit(draft.name(), List.of(row(newId(plan), draft, plan, traces.current())))
                .get(0);
    }

    private Draft joining(Draft draft, JobPlan plan) {
        return groups.joining(List.of(draft), plan.scheduledAt()).get(0);
    }

    /**
     * The ids of the followers are derived from the id of the first job. Therefore a repeated call finds the same jobs.
     */
    ScheduledChain write(Draft stated, List<Follower> followers, JobPlan plan) {
        Draft first = joining(stated, plan);
        JobId given = first.id();
        JobId proposed = given == null ? newId(plan) : given;
        NewJob placed = row(proposed, first, plan, traces.current());
        List<JobId> ids = placed.id().followers(followers.size());
        List<ChainStep> steps = IntStream.range(0, ids.size())
                .mapToObj(i -> followers.get(i).toStep(ids.get(i)))
                .toList();
        checkLength(first.name(), steps);
        NewJob job = placed.with(
                placed.task().withExtras(first.extras().withSteps(steps).toText()));
        Scheduled answer = given == null ? submit(first.name(), List.of(job)).get(0) : writeOnce(job);
        boolean isOfAnotherCall = answer.outcome() == Scheduled.Outcome.POSTPONED
                || answer.outcome() == Scheduled.Outcome.KEPT && !answer.id().equals(job.id());
        return new ScheduledChain(answer, isOfAnotherCall ? List.of() : ids);
    }

    private static void checkLength(String name, List<ChainStep> steps) {
        String text = JobExtras.NONE.withSteps(steps).toText();
        int bytes = text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ChainStep.MAX_BYTES) {
            throw new PayloadTooLongException(
                    "Invalid chain of job '%s': the jobs that follow have %d bytes with their arguments, and must have at most %d together. Store the data elsewhere and pass its id."
                            .formatted(name, bytes, ChainStep.MAX_BYTES));
        }
    }

    private Scheduled writeOnce(NewJob job) {
        Scheduled answer = store.submitOnce(job, nearDue);
        if (answer.outcome() == Scheduled.Outcome.KEPT && answer.id().equals(job.id())) {
            store.find(job.id()).ifPresent(existing -> SameJob.check(job, existing));
            return answer;
        }
        groups.written(job);
        listeners.tell(listener -> listener.scheduled(job.name(), 1));
        return answer;
    }

    /**
     * If the key of a job with {@link OnExisting#FAIL} is taken, no job of the list is written.
     *
     * @param stated drafts of one handler
     * @param plans a plan for each draft, all with the same scheduling time
     */
    List<Scheduled> write(List<Draft> stated, List<JobPlan> plans) {
        if (stated.isEmpty()) {
            return List.of();
        }
        List<Draft> drafts = groups.joining(stated, plans.get(0).scheduledAt());
        String trace = traces.current();
        long made = plans.get(0).scheduledAt().toEpochMilli();
        List<JobId> ids = JobId.createAscending(made, drafts.size(), random);
        List<NewJob> rows = IntStream.range(0, drafts.size())
                .mapToObj(i -> row(ids.get(i), drafts.get(i), plans.get(i), trace))
                .toList();
        checkBatch(rows);
        return submit(drafts.get(0).name(), rows);
    }

    private void checkBatch(List<NewJob> rows) {
        boolean allOrNone = rows.stream().anyMatch(row -> row.key() != null && row.onExisting() == OnExisting.FAIL);
        if (!allOrNone || store.capabilities().has(StoreCapability.BATCHES_ACROSS_GROUPS)) {
            return;
        }
        long groups = rows.stream()
                .mapToInt(row -> placement.groupOf(row.partition()))
                .distinct()
                .count();
        if (groups > 1) {
            throw new IllegalArgumentException(
                    "Invalid batch of %d jobs with FAIL for taken keys: must be in one group of partitions, but is in %d groups. The job store (%s) does not %s. Schedule the jobs one by one, or choose KEEP, REPLACE or POSTPONE."
                            .formatted(rows.size(), groups, store, StoreCapability.BATCHES_ACROSS_GROUPS.ability()));
        }
    }

    private NewJob row(JobId id, Draft draft, JobPlan plan, @Nullable String trace) {
        return placement.place(new NewJob(
                id,
                partitions.propose(draft, id, plan.dueAt().toEpochMilli()),
                new JobTask(
                        draft.name(),
                        draft.key(),
                        draft.payload(),
                        null,
                        trace,
                        draft.extras().toText()),
                plan.withRetry(draft.retry()),
                draft.onExisting(),
                random.nextLong()));
    }

    private List<Scheduled> submit(String name, List<NewJob> rows) {
        List<Scheduled> answers = store.submit(rows, nearDue);
        groups.written(rows.get(0));
        listeners.tell(listener -> listener.scheduled(name, rows.size()));
        return answers;
    }
}
