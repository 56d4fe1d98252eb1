package io.delayjob.client;

import io.delayjob.BulkSpec;
import io.delayjob.JobGroup;
import io.delayjob.MethodReference;
import io.delayjob.ScheduleSpec;
import io.delayjob.job.BulkResult;
import io.delayjob.job.GroupClosedException;
import io.delayjob.job.GroupCounts;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupState;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.JobId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/**
 * A group of jobs on the server. Each member, and each job that follows the group, is scheduled by its own request.
 * Thread-safe.
 */
record RemoteGroup(String name, Server server) implements JobGroup {

    RemoteGroup {
        GroupRef.checkForPaths(GroupRef.checkName(name));
    }

    @Override
    public JobGroup add(ScheduleSpec job) {
        return JobGroup.super.add(checked(job));
    }

    @Override
    public JobGroup add(BulkSpec<?> jobs) {
        throw foreign();
    }

    @Override
    public JobGroup whenAnyFails(ScheduleSpec job) {
        return JobGroup.super.whenAnyFails(checked(job));
    }

    @Override
    public JobId whenAllEnded(ScheduleSpec job) {
        return JobGroup.super.whenAllEnded(checked(job));
    }

    @Override
    public <B> JobId whenAllEnded(MethodReference.NoPayload<B> handler) {
        throw foreign();
    }

    @Override
    public <B> JobId whenAllEnded(MethodReference.ContextOnly<B> handler) {
        throw foreign();
    }

    /** Refuses jobs of this application's own store, because the server counts the members of the group. */
    private ScheduleSpec checked(ScheduleSpec job) {
        if (job instanceof RemoteSpec) {
            return job;
        }
        throw foreign();
    }

    private IllegalArgumentException foreign() {
        return new IllegalArgumentException(
                "Invalid job for group '%s': must be a single job that the group's own client begins by name, because the group is in the server; pass schedule(\"…\").with(…)."
                        .formatted(name));
    }

    /** Sends the request only once. The server would refuse a second request, because the group is then closed. */
    @Override
    public void close() {
        Server.Answer answer = server.sendOnce(http -> http.post()
                .uri("/groups/{name}/close", name)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of()));
        if (answer.status() != 200) {
            throw refusal(name, answer);
        }
    }

    @Override
    public BulkResult cancel() {
        Server.Answer answer = server.send(http -> http.delete().uri("/groups/{name}", name));
        return switch (answer.problem()) {
            case "not-found", "unchanged" -> new BulkResult(0, 0);
            default -> {
                JsonNode members = accepted(answer);
                yield new BulkResult(
                        members.path("changed").asLong(),
                        members.path("skipped").asLong());
            }
        };
    }

    @Override
    public Optional<GroupStatus> find() {
        Server.Answer answer = server.send(http -> http.get().uri("/groups/{name}", name));
        return answer.problem().equals("not-found") ? Optional.empty() : Optional.of(read(accepted(answer)));
    }

    static JsonNode accepted(Server.Answer answer) {
        if (answer.status() != 200) {
            throw Server.refusal(answer);
        }
        return answer.body();
    }

    static RuntimeException refusal(String name, Server.Answer answer) {
        return switch (answer.problem()) {
            case "group-closed" -> new GroupClosedException(name);
            case "group-ended" -> new GroupEndedException(name);
            default -> Server.refusal(answer);
        };
    }

    static GroupStatus read(JsonNode group) {
        return new GroupStatus(
                new GroupRef(
                        UUID.fromString(group.path("id").asString()),
                        group.path("name").asString()),
                GroupState.valueOf(group.path("state").asString()),
                new GroupCounts(
                        group.path("begun").asLong(),
                        group.path("finished").asLong(),
                        group.path("failed").asLong(),
                        group.path("cancelled").asLong()),
                Objects.requireNonNull(Server.instant(group, "createdAt"), "createdAt"),
                Server.instant(group, "endedAt"));
    }
}
