package io.delayjob;

import io.delayjob.job.ChainStep;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

record JobSpec(Draft draft, Scheduling parts) implements ScheduleSpec {

    @Override
    public ScheduleSpec key(Object key, OnExisting onExisting) {
        return with(draft.withKey(key, onExisting));
    }

    @Override
    public ScheduleSpec id(JobId id) {
        return with(draft.withId(parts.writer().checkGiven(id)));
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
    public ScheduleSpec mutex(Object mutex) {
        return with(draft.withMutex(mutex));
    }

    @Override
    public ScheduleSpec rateKey(Object rateKey) {
        return with(draft.withRateKey(rateKey));
    }

    @Override
    public ScheduleSpec fairKey(Object fairKey) {
        return with(draft.withFairKey(fairKey));
    }

    @Override
    public ScheduleSpec label(String label) {
        return with(draft.withLabel(label));
    }

    @Override
    public ScheduleSpec group(String name) {
        return with(draft.withGroup(parts.writer().groups().check(name)));
    }

    @Override
    public JobId whenAllEnded(String group) {
        return parts.writer().whenAllEnded(group, draft, parts.planner().now());
    }

    @Override
    public JobId whenAnyFails(String group) {
        return parts.writer().whenAnyFails(group, draft, parts.planner().now());
    }

    @Override
    public Scheduled now() {
        return parts.writer().write(draft, parts.planner().now());
    }

    @Override
    public Scheduled after(Duration delay) {
        return parts.writer().write(draft, parts.planner().after(delay));
    }

    @Override
    public Scheduled at(Instant instant) {
        return parts.writer().write(draft, parts.planner().at(instant));
    }

    @Override
    public Scheduled repeat(Repeat schedule) {
        return parts.writer().write(draft, parts.planner().repeat(schedule));
    }

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
        return asChain().then(handler, when);
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        return asChain().then(name, when);
    }

    private JobChain asChain() {
        return new JobChain(draft, List.of(), parts);
    }

    private JobSpec with(Draft changed) {
        return new JobSpec(changed, parts);
    }
}
