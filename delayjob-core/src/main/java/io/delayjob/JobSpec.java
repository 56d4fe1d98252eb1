package io.delayjob;

import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/** One job whose payload is known. */
record JobSpec(Draft draft, Planner planner, JobWriter writer) implements ScheduleSpec {

    @Override
    public ScheduleSpec key(Object key, OnExisting onExisting) {
        return with(draft.withKey(key, onExisting));
    }

    @Override
    public ScheduleSpec id(JobId id) {
        return with(draft.withId(writer.checkGiven(id)));
    }

    @Override
    public ScheduleSpec queue(String queue) {
        return with(draft.withQueue(queue));
    }

    @Override
    public ScheduleSpec retry(RetryPolicy policy) {
        return with(draft.withRetry(policy));
    }

    @Override
    public ScheduleSpec expiresAfter(Duration expiresAfter) {
        return with(draft.withExpiresAfter(expiresAfter));
    }

    @Override
    public ScheduleSpec label(String label) {
        return with(draft.withLabel(label));
    }

    @Override
    public Scheduled now() {
        return writer.write(draft, planner.now());
    }

    @Override
    public Scheduled after(Duration delay) {
        return writer.write(draft, planner.after(delay));
    }

    @Override
    public Scheduled at(Instant instant) {
        return writer.write(draft, planner.at(instant));
    }

    @Override
    public Scheduled repeat(Repeat schedule) {
        return writer.write(draft, planner.repeat(schedule));
    }

    private JobSpec with(Draft changed) {
        return new JobSpec(changed, planner, writer);
    }
}
