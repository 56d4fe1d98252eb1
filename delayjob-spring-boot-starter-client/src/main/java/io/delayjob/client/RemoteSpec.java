package io.delayjob.client;

import io.delayjob.ChainSpec;
import io.delayjob.CheckReturnValue;
import io.delayjob.MethodReference;
import io.delayjob.NamedSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.ChainStep;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job that is scheduled by a request. The server checks all values. Immutable. */
@CheckReturnValue
record RemoteSpec(RemoteRequest request, RemoteSubmissions submissions) implements NamedSpec {

    @Override
    public ScheduleSpec with(Map<String, ? extends @Nullable Object> arguments) {
        Stated.notNull(arguments, "map of arguments", "must hold the arguments by name; use an empty map for none");
        return with("arguments", new LinkedHashMap<>(arguments));
    }

    @Override
    public ScheduleSpec with(List<? extends @Nullable Object> arguments) {
        throw new IllegalArgumentException(
                ("Unnamed arguments for '%s': must have names, because only the server knows the order of the "
                                + "handler's parameters; pass them as a map.")
                        .formatted(request.text("name")));
    }

    @Override
    public ScheduleSpec key(Object key, OnExisting onExisting) {
        Stated.notNull(key, "key", "must be a value whose text is the key; leave it out for a job without a key");
        Stated.notNull(onExisting, "OnExisting", "must be KEEP, REPLACE, POSTPONE or FAIL");
        return new RemoteSpec(request.with("key", key.toString()).with("ifExists", onExisting.name()), submissions);
    }

    @Override
    public ScheduleSpec id(JobId id) {
        Stated.notNull(id, "job id", "must be a UUID that no other job has; leave it out for one from delayjob");
        return new RemoteSpec(request.withId(id), submissions);
    }

    @Override
    public ScheduleSpec queue(String queue) {
        return with("queue", Stated.notNull(queue, "queue", "must be the name of a queue"));
    }

    @Override
    public ScheduleSpec retry(RetryPolicy policy) {
        Stated.notNull(policy, "retry policy", "must be a RetryPolicy; leave it out for the policy of the handler");
        return with("retry", policy.toText());
    }

    @Override
    public ScheduleSpec group(String name) {
        return with("group", new RemoteGroup(name, submissions.server()).name());
    }

    @Override
    public JobId whenAllEnded(String group) {
        return submissions.sendWaiting(new RemoteGroup(group, submissions.server()), "when-all-ended", request);
    }

    @Override
    public JobId whenAnyFails(String group) {
        return submissions.sendWaiting(new RemoteGroup(group, submissions.server()), "when-any-fails", request);
    }

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
        return asChain().then(handler, when);
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        return asChain().then(name, when);
    }

    private RemoteChain asChain() {
        return new RemoteChain(request, List.of(), submissions);
    }

    @Override
    public ScheduleSpec expiresAfter(Duration expiresAfter) {
        return with(
                "expiresAfter",
                Stated.notNull(expiresAfter, "expiresAfter", "must be 1 ms or more; leave it out for no expiry")
                        .toString());
    }

    @Override
    public ScheduleSpec mutex(Object mutex) {
        Stated.notNull(
                mutex, "mutex", "must be a value whose text is the mutex; leave it out for the mutex of the handler");
        return with("mutex", ClaimKeys.checkMutex(mutex.toString()));
    }

    @Override
    public ScheduleSpec rateKey(Object rateKey) {
        Stated.notNull(
                rateKey, "rate key", "must be a value whose text is the key; leave it out for the key of the handler");
        return with("rateKey", ClaimKeys.checkRateKey(rateKey.toString()));
    }

    @Override
    public ScheduleSpec fairKey(Object fairKey) {
        Stated.notNull(
                fairKey,
                "fair key",
                "must be a value whose text is the fair key; leave it out for the fair key of the handler");
        return with("fairKey", ClaimKeys.checkFairKey(fairKey.toString()));
    }

    @Override
    public ScheduleSpec label(String label) {
        List<Object> labels = new ArrayList<>();
        if (request.fields().get("labels") instanceof List<?> present) {
            labels.addAll(present);
        }
        labels.add(JobExtras.checkLabel(label));
        return with("labels", List.copyOf(labels));
    }

    private RemoteSpec with(String field, Object value) {
        return new RemoteSpec(request.with(field, value), submissions);
    }

    @Override
    public Scheduled now() {
        return submissions.send(request).first();
    }

    @Override
    public Scheduled after(Duration delay) {
        return submissions.send(request.after(delay)).first();
    }

    @Override
    public Scheduled at(Instant instant) {
        return submissions.send(request.at(instant)).first();
    }

    @Override
    public Scheduled repeat(Repeat schedule) {
        return submissions.send(request.repeat(schedule)).first();
    }
}
