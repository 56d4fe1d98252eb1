package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The index of unfinished jobs by id, whose members are runs of ids. */
class RedisIdRunsTest {

    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final Random random = new Random(1);
    private final String namespace = TestRedis.namespace();
    private final RedisJobStore store =
            RedisJobStore.builder(TestRedis.client()).namespace(namespace).build();
    private final StatefulRedisConnection<byte[], byte[]> connection =
            TestRedis.client().connect(ByteArrayCodec.INSTANCE);
    private final TreeSet<JobId> waiting = new TreeSet<>();

    @AfterEach
    void close() {
        connection.close();
        store.close();
    }

    private void submit(List<JobId> ids) {
        store.submit(
                ids.stream()
                        .map(id -> new NewJob(
                                id,
                                new Partition("default", 0),
                                JobTask.of("mail"),
                                JobPlan.once(NOW, NOW.plusSeconds(60)),
                                OnExisting.KEEP,
                                random.nextLong()))
                        .toList(),
                DueSink.NONE);
        waiting.addAll(ids);
    }

    private void cancel(List<JobId> ids) {
        store.cancelAll(ids, NOW);
        waiting.removeAll(ids);
    }

    private List<JobId> someOfWaiting(int count) {
        List<JobId> all = new ArrayList<>(waiting);
        return random.ints(0, all.size())
                .distinct()
                .limit(count)
                .mapToObj(all::get)
                .toList();
    }

    /** Returns the runs, after a check that they hold the waiting jobs in their order. */
    private List<List<JobId>> runs() {
        byte[] key = (namespace + "{0}:ids").getBytes(StandardCharsets.UTF_8);
        List<List<JobId>> runs = connection.sync().zrangebylex(key, Range.unbounded(), Limit.unlimited()).stream()
                .map(Keyspace::ids)
                .toList();
        assertThat(runs.stream().flatMap(List::stream)).containsExactlyElementsOf(waiting);
        return runs;
    }

    @Test
    void ascendingIds_fillRunsOfEight() {
        List<JobId> ids = JobId.createAscending(NOW.toEpochMilli(), 600, random);

        submit(ids.subList(0, 300));
        submit(ids.subList(300, 301));
        submit(ids.subList(301, 600));

        assertThat(runs()).hasSize(75).allSatisfy(run -> assertThat(run).hasSize(8));
    }

    @Test
    void idsInAnyOrder_areInOrder_alsoAfterSomeHaveLeft() {
        for (int round = 0; round < 40; round++) {
            // Many ids of a round are made in the same millisecond.
            long made = NOW.toEpochMilli() + random.nextInt(50);
            submit(IntStream.range(0, 1 + random.nextInt(40))
                    .mapToObj(i -> JobId.create(made + random.nextInt(3), random))
                    .toList());
            submit(JobId.createAscending(made, 1 + random.nextInt(40), random));
            cancel(someOfWaiting(waiting.size() / 3));
            assertThat(runs()).allSatisfy(run -> assertThat(run).hasSizeBetween(1, 8));
        }
        List<JobId> rest = List.copyOf(waiting);

        assertThat(idsInPagesOf(7, JobOrder.OLDEST)).isEqualTo(rest);
        assertThat(idsInPagesOf(7, JobOrder.NEWEST))
                .isEqualTo(rest.stream().sorted(Comparator.reverseOrder()).toList());

        cancel(rest);
        assertThat(runs()).isEmpty();
    }

    private List<JobId> idsInPagesOf(int size, JobOrder order) {
        List<JobId> ids = new ArrayList<>();
        JobQuery query = JobQuery.state(JobState.DELAYED).order(order).limit(size);
        JobPage page = store.find(query, NOW);
        while (true) {
            page.jobs().stream().map(Job::id).forEach(ids::add);
            if (page.next() == null) {
                return ids;
            }
            page = store.find(query.after(page.next()), NOW);
        }
    }

    /** A caller may choose any id. */
    @Test
    void firstAndLastOfAllIds_areInOrder() {
        JobId first = SortedEntries.FIRST_ID;
        JobId last = Keyspace.ids(Bytes.of(Walk.LAST_MEMBER)).get(0);
        JobId between = JobId.create(NOW.toEpochMilli(), random);

        submit(List.of(between));
        submit(List.of(last, first));

        assertThat(runs()).hasSizeLessThan(3);
        assertThat(idsInPagesOf(1, JobOrder.OLDEST)).containsExactly(first, between, last);
        assertThat(idsInPagesOf(1, JobOrder.NEWEST)).containsExactly(last, between, first);
    }
}
