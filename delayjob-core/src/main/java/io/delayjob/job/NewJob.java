package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job that has not been written yet. This type also has a method for each component of the task and plan. Immutable.
 *
 * @param id the id of the job. If the caller has given no id, the id is new and unique
 * @param task the work of the job; its payload may have any length
 * @param onExisting what happens if an unfinished job has the same name and key
 * @param token the row's first token
 */
public record NewJob(JobId id, Partition partition, JobTask task, JobPlan plan, OnExisting onExisting, long token) {

    /** Returns the handler's name. */
    public String name() {
        return task.name();
    }

    /** Returns the key, or {@code null}. At most one unfinished job has a given pair of name and key. */
    public @Nullable String key() {
        return task.key();
    }

    /** Returns the {@linkplain JobTask#payload() arguments as JSON}. */
    public @Nullable String payload() {
        return task.payload();
    }

    /** Returns the trace context of the call that scheduled the job (W3C traceparent). */
    public @Nullable String trace() {
        return task.trace();
    }

    /** Returns the text form of the job's {@link JobExtras}, or {@code null}. */
    public @Nullable String extras() {
        return task.extras();
    }

    /** Returns the text form of the job's {@link io.delayjob.schedule.Schedule}; {@code null} without a schedule. */
    public @Nullable String schedule() {
        return plan.schedule();
    }

    /** Returns the text form of the job's own {@link io.delayjob.schedule.RetryPolicy}, or {@code null}. */
    public @Nullable String retry() {
        return plan.retry();
    }

    /** Returns the time at which the job was scheduled. Offsets and calendar periods count from this time. */
    public Instant scheduledAt() {
        return plan.scheduledAt();
    }

    /** Returns the planned time of this run. Retries of the run do not change this time. */
    public Instant plannedAt() {
        return plan.plannedAt();
    }

    /** Returns the due time of the first attempt, with jitter. */
    public Instant dueAt() {
        return plan.dueAt();
    }

    /** Returns a copy with another task. */
    public NewJob with(JobTask newTask) {
        return new NewJob(id, partition, newTask, plan, onExisting, token);
    }

    /** Returns a copy as a member of this group. */
    public NewJob in(GroupRef group) {
        String member = JobExtras.parse(task.extras()).withGroup(group).toText();
        return with(task.withExtras(member));
    }

    /** Returns a copy with another id and partition. */
    public NewJob at(JobId newId, Partition newPartition) {
        return new NewJob(newId, newPartition, task, plan, onExisting, token);
    }

    /**
     * Returns the job in the form in which a store writes a new job. The store writes this form if no unfinished job
     * has the same name and key.
     */
    public Job toJob() {
        return new Job(id, partition, task, plan, JobProgress.first(token), JobEnd.NONE);
    }

    /** Returns the part of the job that the timing wheel needs. */
    public DueRow toDueRow() {
        return new DueRow(id, partition, name(), dueAt().toEpochMilli(), token, task.keys());
    }
}
