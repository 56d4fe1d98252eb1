package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.job.ChainStep;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that schedules one job by the name of its handler. The job has no payload until the caller gives a payload.
 */
record NamedJobSpec(Draft draft, @Nullable Handler handler, Scheduling parts) implements NamedSpec {

    @Override
    public ScheduleSpec with(Map<String, ? extends @Nullable Object> arguments) {
        String payload = parts.payloads().encodeNamed(draft.name(), handler, arguments);
        return new JobSpec(parts.filled(draft, handler, payload), parts);
    }

    @Override
    public ScheduleSpec with(List<? extends @Nullable Object> arguments) {
        Stated.notNull(
                arguments,
                "list of arguments",
                "must hold one argument for each parameter; use an empty list for none");
        if (handler == null) {
            throw new IllegalArgumentException(
                    "This application has no handler '%s', so the order of its parameters is unknown. Give the arguments by name, as a map."
                            .formatted(draft.name()));
        }
        return new JobSpec(parts.filled(draft, handler, parts.payloads().encodeInOrder(handler, arguments)), parts);
    }

    @Override
    public ScheduleSpec key(Object key, OnExisting onExisting) {
        return withoutPayload().key(key, onExisting);
    }

    @Override
    public ScheduleSpec id(JobId id) {
        return withoutPayload().id(id);
    }

    @Override
    public ScheduleSpec queue(String queue) {
        return withoutPayload().queue(queue);
    }

    @Override
    public ScheduleSpec retry(RetryPolicy policy) {
        return withoutPayload().retry(policy);
    }

    @Override
    public ScheduleSpec expiresAfter(Duration expiresAfter) {
        return withoutPayload().expiresAfter(expiresAfter);
    }

    @Override
    public ScheduleSpec mutex(Object mutex) {
        return withoutPayload().mutex(mutex);
    }

    @Override
    public ScheduleSpec rateKey(Object rateKey) {
        return withoutPayload().rateKey(rateKey);
    }

    @Override
    public ScheduleSpec fairKey(Object fairKey) {
        return withoutPayload().fairKey(fairKey);
    }

    @Override
    public ScheduleSpec label(String label) {
        return withoutPayload().label(label);
    }

    @Override
    public ScheduleSpec group(String name) {
        return withoutPayload().group(name);
    }

    @Override
    public JobId whenAllEnded(String group) {
        return withoutPayload().whenAllEnded(group);
    }

    @Override
    public JobId whenAnyFails(String group) {
        return withoutPayload().whenAnyFails(group);
    }

    @Override
    public Scheduled now() {
        return withoutPayload().now();
    }

    @Override
    public Scheduled after(Duration delay) {
        return withoutPayload().after(delay);
    }

    @Override
    public Scheduled at(Instant instant) {
        return withoutPayload().at(instant);
    }

    @Override
    public Scheduled repeat(Repeat schedule) {
        return withoutPayload().repeat(schedule);
    }

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference next, ChainStep.When when) {
        return withoutPayload().then(next, when);
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        return withoutPayload().then(name, when);
    }

    private JobSpec withoutPayload() {
        if (handler != null) {
            parts.payloads().checkGiven(handler, Map.of());
        }
        return new JobSpec(parts.filled(draft, handler, null), parts);
    }
}
