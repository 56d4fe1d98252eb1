package io.delayjob.memory;

import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.store.JobRules;
import io.delayjob.store.StoreException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes new jobs, and decides what happens if their key is taken. The lock of the {@link MemoryJobStore} guards this
 * object.
 */
final class MemorySubmission {

    private final MemoryJobTable unfinished;
    private final MemoryHistory history;
    private final MemoryGroups groups;

    MemorySubmission(MemoryJobTable unfinished, MemoryHistory history, MemoryGroups groups) {
        this.unfinished = unfinished;
        this.history = history;
        this.groups = groups;
    }

    List<Scheduled> submit(List<NewJob> jobs, Map<JobId, DueRow> nowWaiting) {
        List<Scheduled> results = new ArrayList<>(jobs.size());
        refuseExisting(jobs);
        jobs.forEach(groups::check);
        for (NewJob job : jobs) {
            Scheduled result = submit(job);
            results.add(result);
            if (result.outcome() != Scheduled.Outcome.KEPT) {
                nowWaiting.put(result.id(), existing(result.id()).toDueRow());
            }
        }
        return results;
    }

    Scheduled submitOnce(NewJob job, Map<JobId, DueRow> nowWaiting) {
        Job waiting = unfinished.find(job.id());
        Job existing = waiting != null ? waiting : history.find(job.id());
        return existing != null
                ? JobRules.kept(existing)
                : submit(List.of(job), nowWaiting).get(0);
    }

    /** This check must come before the first write, so that a refused batch writes nothing. */
    private void refuseExisting(List<NewJob> jobs) {
        Set<List<String>> keysOfBatch = new HashSet<>();
        for (NewJob job : jobs) {
            if (unfinished.find(job.id()) != null || history.find(job.id()) != null) {
                throw StoreException.refused(
                        "Job %s exists already: every new job must have its own id.".formatted(job.id()));
            }
            String key = job.key();
            if (key != null) {
                boolean taken = !keysOfBatch.add(List.of(job.name(), key)) || unfinished.find(job.name(), key) != null;
                if (taken && job.onExisting() == OnExisting.FAIL) {
                    throw new JobExistsException(job.name(), key);
                }
            }
        }
    }

    private Scheduled submit(NewJob job) {
        Job existing = unfinished.find(job.name(), job.key());
        if (existing == null) {
            return create(job);
        }
        if (job.onExisting() == OnExisting.KEEP) {
            return JobRules.kept(existing);
        }
        if (existing.isUnderWay()) {
            unfinished.save(JobRules.deprivedOfItsKey(existing));
            return create(job);
        }
        unfinished.save(JobRules.overwritten(existing, job));
        boolean replaces = job.onExisting() == OnExisting.REPLACE;
        Scheduled.Outcome outcome = replaces ? Scheduled.Outcome.REPLACED : Scheduled.Outcome.POSTPONED;
        return new Scheduled(existing.id(), outcome, JobState.DELAYED);
    }

    private Scheduled create(NewJob job) {
        Job created = groups.entered(job).toJob();
        unfinished.save(created);
        groups.begin(created);
        return new Scheduled(job.id(), Scheduled.Outcome.CREATED, JobState.DELAYED);
    }

    private Job existing(JobId id) {
        return Optional.ofNullable(unfinished.find(id)).orElseThrow();
    }
}
