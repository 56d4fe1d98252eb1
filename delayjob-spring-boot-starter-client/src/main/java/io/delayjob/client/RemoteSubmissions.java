package io.delayjob.client;

import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobId;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.job.JobState;
import io.delayjob.job.Scheduled;
import io.delayjob.job.ScheduledChain;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * Sends requests that schedule jobs and chains, or let jobs wait for groups. Thread-safe.
 *
 * @param newId makes the id of a job if the caller gives no id, so that a repeated request finds the job
 */
record RemoteSubmissions(Server server, Supplier<JobId> newId) {

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    ScheduledChain send(RemoteRequest request) {
        if (request.id() == null && request.changesByKey()) {
            // Sent only once: the changed job keeps its own id, so a second request could not find the job.
            return scheduled(request, server.sendOnce(http -> post(http, request)));
        }
        JobId id = Objects.requireNonNullElseGet(request.id(), newId);
        return scheduled(
                request.withId(id), server.send(http -> post(http, request).header(IDEMPOTENCY_KEY, id.toString())));
    }

    private static RestClient.RequestBodySpec post(RestClient http, RemoteRequest request) {
        return http.post().uri("/jobs").contentType(MediaType.APPLICATION_JSON).body(request.fields());
    }

    JobId sendWaiting(RemoteGroup group, String event, RemoteRequest request) {
        request.checkWaiting(group.name());
        JobId id = Objects.requireNonNullElseGet(request.id(), newId);
        Server.Answer answer = server.send(http -> http.post()
                .uri("/groups/{name}/{event}", group.name(), event)
                .contentType(MediaType.APPLICATION_JSON)
                .body(request.fields())
                .header(IDEMPOTENCY_KEY, id.toString()));
        if (answer.status() != 200) {
            throw refusal(request.withId(id).with("group", group.name()), answer);
        }
        return JobId.parse(answer.text("id"));
    }

    private static ScheduledChain scheduled(RemoteRequest request, Server.Answer answer) {
        return switch (answer.status()) {
            case 200, 201 ->
                new ScheduledChain(
                        new Scheduled(
                                JobId.parse(answer.text("id")),
                                Server.value(Scheduled.Outcome.class, answer, "outcome"),
                                Server.value(JobState.class, answer, "state")),
                        StreamSupport.stream(answer.body().path("followers").spliterator(), false)
                                .map(id -> JobId.parse(id.asString()))
                                .toList());
            default -> throw refusal(request, answer);
        };
    }

    private static RuntimeException refusal(RemoteRequest request, Server.Answer answer) {
        return switch (answer.problem()) {
            case "key-exists" -> new JobExistsException(request.text("name"), request.text("key"));
            case "idempotency-key-reused" -> new JobIdTakenException(Objects.requireNonNull(request.id()), "content");
            default -> RemoteGroup.refusal(request.text("group"), answer);
        };
    }
}
