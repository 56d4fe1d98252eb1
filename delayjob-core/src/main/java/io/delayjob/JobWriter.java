package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobPlacement;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreCapability;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Gives drafts their identity, place and token, and writes them. Thread-safe. */
final class JobWriter {

    private final JobStore store;
    private final JobPlacement placement;
    private final PartitionProposal partitions;
    private final RandomGenerator random;
    private final TraceSource traces;
    private final DueSink nearDue;
    private final JobListeners listeners;

    JobWriter(
            JobStore store,
            PartitionProposal partitions,
            RandomGenerator random,
            TraceSource traces,
            DueSink nearDue,
            JobListeners listeners) {
        this.store = store;
        this.placement = store.placement();
        this.partitions = partitions;
        this.random = random;
        this.traces = traces;
        this.nearDue = nearDue;
        this.listeners = listeners;
    }

    Scheduled write(Draft draft, JobPlan plan) {
        JobId id = JobId.create(plan.scheduledAt().toEpochMilli(), random);
        return submit(draft.name(), List.of(row(id, draft, plan, traces.current())))
                .get(0);
    }

    /**
     * Writes all jobs, or none if a key must be free and is taken.
     *
     * @param drafts drafts of one handler
     * @param plans a plan for each draft, all with the same scheduling time
     * @throws IllegalArgumentException when the store cannot write these jobs as a whole
     */
    List<Scheduled> write(List<Draft> drafts, List<JobPlan> plans) {
        if (drafts.isEmpty()) {
            return List.of();
        }
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
                    "Invalid batch of %d jobs with FAIL for taken keys: must lie in one group of partitions, but lies in %d, because the job store (%s) does not %s; schedule the jobs one by one, or choose KEEP, REPLACE or POSTPONE."
                            .formatted(rows.size(), groups, store, StoreCapability.BATCHES_ACROSS_GROUPS.ability()));
        }
    }

    private NewJob row(JobId id, Draft draft, JobPlan plan, @Nullable String trace) {
        return placement.place(new NewJob(
                id,
                partitions.propose(draft.queue(), id, plan.dueAt().toEpochMilli()),
                new JobTask(draft.name(), draft.key(), draft.payload(), null, trace),
                plan.withRetry(draft.retry()),
                draft.onExisting(),
                random.nextLong()));
    }

    private List<Scheduled> submit(String name, List<NewJob> rows) {
        List<Scheduled> answers = store.submit(rows, nearDue);
        listeners.tell(listener -> listener.scheduled(name, rows.size()));
        return answers;
    }
}
