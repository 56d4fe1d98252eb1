package io.delayjob.client;

import io.delayjob.JobGroup;
import io.delayjob.NamedJobs;
import io.delayjob.NamedSpec;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.schedule.Stated;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.StreamSupport;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/**
 * Implements {@link NamedJobs} over HTTP. The client creates the id of each job, so that repeated requests schedule
 * only one job. Thread-safe.
 */
final class RemoteJobs implements NamedJobs {

    private final Server server;
    private final InstantSource clock;
    private final RandomGenerator random;

    RemoteJobs(Server server, InstantSource clock, RandomGenerator random) {
        this.server = server;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public NamedSpec schedule(String name) {
        Stated.notNull(name, "job name", "must be the name of a handler or target of the server");
        return new RemoteSpec(
                RemoteRequest.of(name), new RemoteSubmissions(server, () -> JobId.create(clock.millis(), random)));
    }

    @Override
    public JobGroup group(String name) {
        return new RemoteGroup(name, server);
    }

    @Override
    public List<GroupStatus> groups(int limit) {
        return groups(server.send(http -> http.get().uri("/groups?limit={limit}", limit)));
    }

    @Override
    public List<GroupStatus> endedGroups(int limit) {
        return groups(server.send(http -> http.get().uri("/groups?ended=true&limit={limit}", limit)));
    }

    private static List<GroupStatus> groups(Server.Answer answer) {
        return StreamSupport.stream(RemoteGroup.accepted(answer).path("groups").spliterator(), false)
                .map(RemoteGroup::read)
                .toList();
    }

    @Override
    public CancelResult cancel(JobId id) {
        return cancelled(server.send(http -> http.delete().uri("/jobs/{id}", checked(id))));
    }

    @Override
    public CancelResult cancel(String name, Object key) {
        Stated.notNull(name, "job name", "must be the name of the job to cancel");
        Stated.notNull(key, "key", "must be the key of the job to cancel");
        return cancelled(server.send(http -> http.delete().uri("/jobs?name={name}&key={key}", name, key.toString())));
    }

    private static CancelResult cancelled(Server.Answer answer) {
        return switch (answer.problem()) {
            case "not-found" -> CancelResult.NOT_FOUND;
            default -> result(CancelResult.class, answer);
        };
    }

    private static <E extends Enum<E>> E result(Class<E> type, Server.Answer answer) {
        if (answer.text("result").isEmpty()) {
            throw Server.refusal(answer);
        }
        return Server.value(type, answer, "result");
    }

    @Override
    public ChangeResult reschedule(JobId id, Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more");
        return reschedule(id, Map.of("after", delay.toString()));
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant instant) {
        Stated.notNull(instant, "instant", "must be a time; one in the past makes the job run now");
        return reschedule(id, Map.of("at", instant.toString()));
    }

    private ChangeResult reschedule(JobId id, Map<String, String> time) {
        return changed(server.send(http -> http.patch()
                .uri("/jobs/{id}", checked(id))
                .contentType(MediaType.APPLICATION_JSON)
                .body(time)));
    }

    @Override
    public ChangeResult retry(JobId id) {
        return retry(id, Map.of());
    }

    @Override
    public ChangeResult retry(JobId id, Duration delay) {
        Stated.notNull(delay, "delay", "must be zero or more");
        return retry(id, Map.of("after", delay.toString()));
    }

    private ChangeResult retry(JobId id, Map<String, String> time) {
        return changed(server.send(http -> http.post()
                .uri("/jobs/{id}/retry", checked(id))
                .contentType(MediaType.APPLICATION_JSON)
                .body(time)));
    }

    private static ChangeResult changed(Server.Answer answer) {
        return switch (answer.problem()) {
            case "not-found" -> ChangeResult.NOT_FOUND;
            default -> result(ChangeResult.class, answer);
        };
    }

    @Override
    public Optional<Job> find(JobId id) {
        return found(id).map(RemoteJob::read);
    }

    @Override
    public Optional<Vitals.Progress> progress(JobId id) {
        return found(id).flatMap(RemoteJob::progress);
    }

    @Override
    public Optional<JobLog> log(JobId id) {
        return found(id).map(RemoteJob::log);
    }

    private Optional<JsonNode> found(JobId id) {
        Server.Answer answer = server.send(http -> http.get().uri("/jobs/{id}", checked(id)));
        if (answer.problem().equals("not-found")) {
            return Optional.empty();
        }
        if (answer.status() != 200) {
            throw Server.refusal(answer);
        }
        return Optional.of(answer.body());
    }

    /**
     * The unfinished job may come after many ended jobs of the key, because the pages are in the order of the ids. An
     * older job may have been retried, and callers may state random ids.
     */
    @Override
    public Optional<Job> find(String name, String key) {
        Stated.notNull(name, "job name", "must belong to the job to find");
        Stated.notNull(key, "key", "must belong to the job to find");
        Job newest = null;
        String after = "";
        do {
            Server.Answer answer = page(name, key, after);
            if (answer.problem().equals("not-found")) {
                return Optional.empty();
            }
            if (answer.status() != 200) {
                throw Server.refusal(answer);
            }
            for (JsonNode found : answer.body().path("jobs")) {
                Job job = RemoteJob.read(found);
                if (!job.state().isEnded()) {
                    return Optional.of(job);
                }
                newest = newest == null ? job : newest;
            }
            after = answer.text("next");
        } while (!after.isEmpty());
        return Optional.ofNullable(newest);
    }

    private Server.Answer page(String name, String key, String after) {
        return server.send(http -> after.isEmpty()
                ? http.get().uri("/jobs?name={name}&key={key}", name, key)
                : http.get().uri("/jobs?name={name}&key={key}&after={after}", name, key, after));
    }

    private static String checked(JobId id) {
        return Stated.notNull(id, "job id", "must be an id from Scheduled.id() or JobId.parse(text)")
                .toString();
    }
}
