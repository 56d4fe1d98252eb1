package io.delayjob.redis;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans the new jobs of one slot, one after the other. The plan of each job takes the planned changes of the earlier
 * jobs into account. Not thread-safe.
 */
final class SlotPlan {

    private final Map<String, JobId> holders;
    private final Map<JobId, Job> read;
    private final Map<JobId, Job> planned = new HashMap<>();
    private final int maxRows;
    private final List<Part> parts = new ArrayList<>();
    private final Set<JobId> touched = new LinkedHashSet<>();
    private final Map<Integer, Scheduled> results = new LinkedHashMap<>();

    /**
     * @param changes the rows to write; empty if an existing job is kept instead of each new job
     * @param results the result for each new job, by the index of the job
     */
    record Part(List<RowChange> changes, Map<Integer, Scheduled> results) {

        List<DueRow> waiting() {
            Set<JobId> scheduled = new LinkedHashSet<>();
            results.values().stream()
                    .filter(result -> result.outcome() != Scheduled.Outcome.KEPT)
                    .forEach(result -> scheduled.add(result.id()));
            return changes.stream()
                    .filter(change -> scheduled.contains(change.id()))
                    .map(change -> Objects.requireNonNull(change.after()).toDueRow())
                    .toList();
        }
    }

    /** @param holders the unfinished job of each name and key, by field */
    SlotPlan(Map<String, JobId> holders, Map<JobId, Job> read, int maxRows) {
        this.holders = new HashMap<>(holders);
        this.read = new HashMap<>(read);
        this.maxRows = maxRows;
    }

    /** @throws JobExistsException if the policy is {@code FAIL}, and an unfinished job has the key of the new job */
    void add(int index, NewJob job) {
        // A new job changes at most two rows.
        if (touched.size() + 2 > maxRows) {
            endPart();
        }
        results.put(index, scheduled(job));
    }

    private Scheduled scheduled(NewJob job) {
        Job existing = existing(job);
        if (existing == null) {
            return create(job);
        }
        if (job.onExisting() == OnExisting.FAIL) {
            throw new JobExistsException(existing.name(), Objects.requireNonNull(existing.key()));
        }
        if (job.onExisting() == OnExisting.KEEP) {
            return JobRules.kept(existing);
        }
        if (existing.isUnderWay()) {
            put(JobRules.deprivedOfItsKey(existing));
            return create(job);
        }
        put(JobRules.overwritten(existing, job));
        boolean replaces = job.onExisting() == OnExisting.REPLACE;
        Scheduled.Outcome outcome = replaces ? Scheduled.Outcome.REPLACED : Scheduled.Outcome.POSTPONED;
        return new Scheduled(existing.id(), outcome, JobState.DELAYED);
    }

    /** Returns {@code null} if the job has ended or has lost the key since the key was looked up. */
    private @Nullable Job existing(NewJob job) {
        if (job.key() == null) {
            return null;
        }
        String field = Keyspace.field(job.name(), job.key());
        JobId id = holders.get(field);
        Job existing = id == null ? null : present(id);
        boolean hasKey = existing != null && !existing.state().isEnded() && field.equals(Keyspace.field(existing));
        return hasKey ? existing : null;
    }

    private @Nullable Job present(JobId id) {
        Job job = planned.get(id);
        return job == null ? read.get(id) : job;
    }

    private Scheduled create(NewJob job) {
        put(job.toJob());
        if (job.key() != null) {
            holders.put(Keyspace.field(job.name(), job.key()), job.id());
        }
        return new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED);
    }

    private void put(Job job) {
        planned.put(job.id(), job);
        touched.add(job.id());
    }

    private void endPart() {
        List<RowChange> changes = new ArrayList<>();
        for (JobId id : touched) {
            changes.add(RowChange.of(read.get(id), Objects.requireNonNull(planned.get(id))));
            read.put(id, Objects.requireNonNull(planned.get(id)));
        }
        parts.add(new Part(changes, new LinkedHashMap<>(results)));
        touched.clear();
        results.clear();
    }

    /** Returns all parts, in the order in which they must be written. */
    List<Part> parts() {
        endPart();
        return parts;
    }
}
