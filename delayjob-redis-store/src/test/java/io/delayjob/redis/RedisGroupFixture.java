package io.delayjob.redis;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.GroupJob;
import io.delayjob.job.GroupRef;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.job.Transition;
import io.delayjob.store.DueSink;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A store of many slots with an open group, whose commands a test sees, and another store with the same jobs. */
abstract class RedisGroupFixture {

    static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    static final Partition PARTITION = new Partition("default", 0);
    static final int SLOTS = 8;

    private final Random random = new Random(1);
    final String namespace = TestRedis.namespace();
    final Keyspace keys = new Keyspace(namespace, SLOTS);
    final CommandProbe probe = new CommandProbe();
    private final RedisClient client;
    private final RedisClient otherClient;
    final RedisCommands<String, byte[]> redis;
    final RedisJobStore store;
    final RedisJobStore other;
    final GroupRef group;

    RedisGroupFixture(RedisURI server) {
        client = RedisClient.create(server);
        client.addListener(probe);
        otherClient = RedisClient.create(server);
        redis = otherClient
                .connect(RedisCodec.of(new StringCodec(StandardCharsets.ISO_8859_1), ByteArrayCodec.INSTANCE))
                .sync();
        store = store(client);
        other = store(otherClient);
        group = open("import");
    }

    private RedisJobStore store(RedisClient of) {
        return RedisJobStore.builder(of).slots(SLOTS).namespace(namespace).build();
    }

    @AfterEach
    final void close() {
        store.close();
        other.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        otherClient.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }

    final GroupRef proposal(String name) {
        return new GroupRef(id().value(), name);
    }

    final GroupRef open(String name) {
        return store.groups().enter(proposal(name), NOW);
    }

    final synchronized JobId id() {
        return JobId.create(NOW.toEpochMilli(), random);
    }

    final synchronized long token() {
        return random.nextLong();
    }

    final NewJob member() {
        return member(group);
    }

    final NewJob member(GroupRef of) {
        return member(of, null, OnExisting.KEEP);
    }

    final NewJob member(GroupRef of, @Nullable String key, OnExisting onExisting) {
        JobTask task = JobTask.of("load")
                .withKey(key)
                .withExtras(JobExtras.NONE.withGroup(of).toText());
        NewJob job = new NewJob(id(), PARTITION, task, JobPlan.once(NOW, NOW), onExisting, token());
        return store.placement().place(job);
    }

    final Job running(NewJob job) {
        store.submit(List.of(job), DueSink.NONE);
        return store.claim(List.of(job.toDueRow()), 1, token(), NOW).get(0);
    }

    final void end(Job job, boolean keep) {
        end(job, new JobOutcome.Succeeded(), JobState.FINISHED, keep);
    }

    final void fail(Job job) {
        Failure failure = Failure.of("java.lang.IllegalStateException", "boom");
        end(job, new JobOutcome.Failed(failure, false), JobState.FAILED, true);
    }

    private void end(Job job, JobOutcome outcome, JobState state, boolean keep) {
        Failure failure = outcome instanceof JobOutcome.Failed failed ? failed.failure() : null;
        store.complete(List.of(
                new Completion(job, outcome, new Transition.Ended(state), token(), NOW, failure, keep, List.of())));
    }

    final GroupJob follower() {
        return new GroupJob(id(), PARTITION, JobTask.of("done"), null);
    }

    final List<DueRow> fold() {
        List<DueRow> written = new ArrayList<>();
        while (store.groups().fold(NOW, token(), written::addAll, ended -> {})) {
            // A pass is cut.
        }
        return written;
    }

    final GroupStatus status() {
        return status(group);
    }

    final GroupStatus status(GroupRef of) {
        return store.groups().find(of.name()).orElseThrow();
    }

    final String rowKey(GroupRef of) {
        return keys.meta("group:" + Keyspace.member(of.id()));
    }

    /** Returns the numbers of a group in all slots that have some. */
    final List<String> numbersOf(GroupRef of) {
        return IntStream.range(0, SLOTS)
                .mapToObj(slot -> keys.groupNumbers(slot, of.id()))
                .filter(key -> redis.exists(key) == 1)
                .toList();
    }

    final GroupRow row() {
        long version = Long.parseLong(Bytes.text(redis.hget(rowKey(group), "version")));
        return GroupRow.parse(group.id(), version, redis.hget(rowKey(group), "row"));
    }
}
