package io.delayjob.client;

import io.delayjob.ChainSpec;
import io.delayjob.CheckReturnValue;
import io.delayjob.MethodReference;
import io.delayjob.NamedSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.ChainStep;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobState;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Scheduled;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** A job that is scheduled by a request. The server checks all values. Immutable. */
@CheckReturnValue
record RemoteSpec(Request request, Server server, Supplier<JobId> newId) implements NamedSpec {

    /** The fields of the request, and the id of the job if the caller gives it. */
    record Request(Map<String, Object> fields, @Nullable JobId id) {

        static Request of(String name) {
            return new Request(Map.of("name", name), null);
        }

        Request with(String field, Object value) {
            Map<String, Object> more = new LinkedHashMap<>(fields);
            more.put(field, value);
            return new Request(Collections.unmodifiableMap(more), id);
        }

        /** Tells whether this request may change an existing job of the same key instead of making a new job. */
        boolean changesByKey() {
            return Stream.of(OnExisting.REPLACE, OnExisting.POSTPONE)
                    .anyMatch(change -> change.name().equals(fields.get("ifExists")));
        }

        String text(String field) {
            return String.valueOf(fields.get(field));
        }
    }

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
        Stated.notNull(onExisting, "answer to a key that is taken", "must be KEEP, REPLACE, POSTPONE or FAIL");
        return new RemoteSpec(request.with("key", key.toString()).with("ifExists", onExisting.name()), server, newId);
    }

    @Override
    public ScheduleSpec id(JobId id) {
        Stated.notNull(id, "job id", "must be a UUID that no other job has; leave it out for one from delayjob");
        return new RemoteSpec(new Request(request.fields(), id), server, newId);
    }

    @Override
    public ScheduleSpec queue(String queue) {
        return with("queue", Stated.notNull(queue, "queue", "must be the name of a queue"));
    }

    @Override
    public ScheduleSpec retry(RetryPolicy policy) {
        Stated.notNull(policy, "retry policy", "must be a RetryPolicy; leave it out for the handler's own");
        return with("retry", policy.toText());
    }

    @Override
    public <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, ChainStep.When when) {
        throw noChains();
    }

    @Override
    public ChainSpec.Named then(String name, ChainStep.When when) {
        throw noChains();
    }

    private static UnsupportedOperationException noChains() {
        return new UnsupportedOperationException(
                "The REST API schedules single jobs, and no chains. Schedule a job whose handler schedules the chain in the application that has the job tables.");
    }

    @Override
    public ScheduleSpec expiresAfter(Duration expiresAfter) {
        return with(
                "expiresAfter",
                Stated.notNull(expiresAfter, "expiresAfter", "must be 1 ms or more; leave it out for no expiry")
                        .toString());
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
        return new RemoteSpec(request.with(field, value), server, newId);
    }

    @Override
    public Scheduled now() {
        return send(request);
    }

    @Override
    public Scheduled after(Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more");
        return send(request.with("after", delay.toString()));
    }

    @Override
    public Scheduled at(Instant instant) {
        Stated.notNull(instant, "instant", "must be a time; one in the past makes the job due at once");
        return send(request.with("at", instant.toString()));
    }

    @Override
    public Scheduled repeat(Repeat schedule) {
        Stated.notNull(schedule, "schedule", "must say when to run, such as Repeat.every(period)");
        return send(request.with("repeat", schedule.toText()));
    }

    private Scheduled send(Request complete) {
        if (complete.id() == null && complete.changesByKey()) {
            // The changed job keeps its id, so a second request could not find it. So no second request is sent.
            return scheduled(complete, server.sendOnce(http -> post(http, complete)));
        }
        JobId id = Objects.requireNonNullElseGet(complete.id(), newId);
        Request known = new Request(complete.fields(), id);
        return scheduled(known, server.send(http -> post(http, known).header("Idempotency-Key", id.toString())));
    }

    private static RestClient.RequestBodySpec post(RestClient http, Request complete) {
        return http.post().uri("/jobs").contentType(MediaType.APPLICATION_JSON).body(complete.fields());
    }

    private static Scheduled scheduled(Request complete, Server.Answer answer) {
        return switch (answer.status()) {
            case 200, 201 ->
                new Scheduled(
                        JobId.parse(answer.text("id")),
                        Server.value(Scheduled.Outcome.class, answer, "outcome"),
                        Server.value(JobState.class, answer, "state"));
            default -> throw refusal(complete, answer);
        };
    }

    private static RuntimeException refusal(Request complete, Server.Answer answer) {
        return switch (answer.problem()) {
            case "key-exists" -> new JobExistsException(complete.text("name"), complete.text("key"));
            case "idempotency-key-reused" -> new JobIdTakenException(Objects.requireNonNull(complete.id()), "content");
            default -> Server.refusal(answer);
        };
    }
}
