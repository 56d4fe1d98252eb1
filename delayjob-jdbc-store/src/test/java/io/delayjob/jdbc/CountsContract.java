package io.delayjob.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.handler.Handler;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.NewJob;
import io.delayjob.job.OnExisting;
import io.delayjob.job.Partition;
import io.delayjob.store.DueCounts;
import io.delayjob.store.DueSink;
import io.delayjob.store.DueSpan;
import io.delayjob.store.JobCounts;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.MinuteCounts;
import io.delayjob.store.MinuteRow;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.Precision;
import io.delayjob.store.StoreException;
import io.delayjob.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Counts of more jobs than are counted. */
abstract class CountsContract {

    static final int MANY = JobCounts.CAP + 50;
    static final Instant NOW = JobMaker.NOW;

    private final Random random = new Random(11);
    private final AtomicLong nanos = new AtomicLong();

    /** How long the store believes that each statement takes, because its clock advances whenever it is read. */
    private Duration pace = Duration.ZERO;

    private HikariDataSource pool;
    private JdbcJobStore store;

    /** A pool over a new database that holds delayjob's tables. */
    abstract HikariDataSource newStore();

    @BeforeEach
    final void makeStore() {
        pool = newStore();
        store = JdbcJobStore.builder(pool, new JdbcTransactionManager(pool))
                .clock(new StoreClock(() -> 0, () -> 0, () -> nanos.getAndAdd(pace.toNanos())))
                .build();
    }

    @AfterEach
    final void closeStore() {
        if (pool != null) {
            store.close();
            pool.close();
        }
    }

    /** The states of which there may be more, if more jobs wait than are counted. */
    Set<JobState> beyondTheLimit() {
        return Set.of(JobState.DELAYED, JobState.AWAITING);
    }

    /** The pool of the store. */
    final HikariDataSource pool() {
        return pool;
    }

    /** The store under test. */
    final JdbcJobStore store() {
        return store;
    }

    /** Returns the ids of the new jobs. */
    final List<JobId> submit(int count, Instant due) {
        List<JobId> ids = new ArrayList<>();
        List<NewJob> batch = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            JobId id = JobId.create(NOW.toEpochMilli(), random);
            ids.add(id);
            Partition partition = new Partition(i % 2 == 0 ? "mail" : "sms", i % 8);
            batch.add(new NewJob(
                    id, partition, JobTask.of("job-" + i), JobPlan.once(NOW, due), OnExisting.KEEP, random.nextLong()));
            if (batch.size() == 500 || i == count) {
                store.submit(batch, DueSink.NONE);
                batch.clear();
            }
        }
        return ids;
    }

    @Test
    void counts_ofMoreDueJobsThanTheCap_areALowerBoundThatSaysSo() {
        submit(MANY, NOW);
        submit(3, NOW.plusSeconds(60));
        submit(1, NOW.minusSeconds(60));

        JobCounts counts = store.counts(NOW);

        assertThat(counts.in(JobState.READY)).isEqualTo(JobCounts.CAP);
        assertThat(counts.precision(JobState.READY)).isEqualTo(Precision.AT_LEAST);
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(3);
        assertThat(counts.precision(JobState.DELAYED)).isEqualTo(Precision.EXACT);
        assertThat(counts.oldestDue()).isEqualTo(NOW.minusSeconds(60));
    }

    @Test
    void counts_ofFewDueJobsBehindManyThatWait_areExact() {
        submit(MANY, NOW.plusSeconds(60));
        submit(5, NOW);

        JobCounts counts = store.counts(NOW);

        assertThat(counts.in(JobState.READY)).isEqualTo(5);
        assertThat(counts.in(JobState.RUNNING)).isZero();
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(JobCounts.CAP);
        assertThat(counts.atLeast()).isEqualTo(beyondTheLimit());
        assertThat(counts.oldestDue()).isEqualTo(NOW);
    }

    @Test
    void counts_ofASlowDatabase_areLowerBoundsThatSaySo() {
        Map<JobState, Long> there = Map.of(JobState.READY, 700L, JobState.DELAYED, 600L, JobState.CANCELLED, 300L);
        submit(700, NOW);
        submit(600, NOW.plusSeconds(60));
        store.cancelAll(submit(300, NOW), NOW);
        JobCounts exact = store.counts(NOW);
        there.forEach(
                (state, jobs) -> assertThat(exact.in(state)).as(state.name()).isEqualTo(jobs));
        assertThat(exact.atLeast()).isEmpty();

        pace = ReadingTime.LIMIT;
        JobCounts counts = store.counts(NOW);

        there.forEach((state, jobs) -> {
            assertThat(counts.in(state)).as(state.name()).isEqualTo(JobCounter.STEP);
            assertThat(counts.precision(state)).as(state.name()).isEqualTo(Precision.AT_LEAST);
        });
        assertThat(counts.precision(JobState.RUNNING)).isEqualTo(Precision.AT_LEAST);
        assertThat(counts.precision(JobState.FAILED)).isEqualTo(Precision.EXACT);
        assertThat(counts.oldestDue()).isEqualTo(NOW);
    }

    @Test
    void counts_whoseTimeEndsMeanwhile_areLowerBoundsOfWhatWasCounted() {
        submit(1_400, NOW);
        submit(1, NOW.plusSeconds(60));

        pace = ReadingTime.LIMIT.dividedBy(4);
        JobCounts counts = store.counts(NOW);

        assertThat(counts.in(JobState.READY)).isBetween(JobCounter.STEP + 1L, 1_399L);
        assertThat(counts.precision(JobState.READY)).isEqualTo(Precision.AT_LEAST);
        assertThat(counts.in(JobState.DELAYED)).isEqualTo(1);
        assertThat(counts.precision(JobState.DELAYED)).isEqualTo(Precision.EXACT);
    }

    @Test
    void dueJobs_inTheOrderOfIds_areFoundWhateverLiesBesideThem() {
        submit(300, NOW.plusSeconds(60));
        submit(7, NOW);
        submit(300, NOW.plusSeconds(60));
        JobQuery query = JobQuery.state(JobState.READY).limit(3).lookAt(50);

        for (JobOrder order : List.of(JobOrder.OLDEST, JobOrder.NEWEST)) {
            List<Job> found = new ArrayList<>();
            JobPage page = store.find(query.order(order), NOW);
            while (page.next() != null) {
                assertThat(page.jobs()).as("every page is full").hasSize(3);
                found.addAll(page.jobs());
                page = store.find(query.order(order).after(page.next()), NOW);
            }
            found.addAll(page.jobs());
            assertThat(found).hasSize(7).isSortedAccordingTo(query.order(order).comparator());
        }
        JobPage running = store.find(JobQuery.state(JobState.RUNNING).lookAt(50), NOW);
        assertThat(running.jobs()).isEmpty();
        assertThat(running.isComplete()).as("whether nothing runs").isTrue();
    }

    @Test
    void dueJobs_ofASlowDatabase_areLookedForInFewRows() {
        submit(300, NOW);
        submit(300, NOW.plusSeconds(60));
        JobQuery query =
                JobQuery.state(JobState.READY).order(JobOrder.NEWEST).limit(400).lookAt(1_000);
        assertThat(store.find(query, NOW).jobs()).hasSize(300);

        pace = ReadingTime.LIMIT;
        JobPage page = store.find(query, NOW);

        assertThat(page.lookedAt()).isEqualTo(100);
        assertThat(page.next()).as("where to read on").isNotNull();
    }

    @Test
    void manyDueJobs_inTheOrderOfIds_comePageByPage() {
        submit(5_300, NOW);
        JobQuery query = JobQuery.state(JobState.READY).order(JobOrder.NEWEST).limit(500);
        List<JobId> found = new ArrayList<>();

        JobPage page = store.find(query, NOW);
        while (page.next() != null) {
            page.forEach(job -> found.add(job.id()));
            page = store.find(query.after(page.next()), NOW);
        }
        page.forEach(job -> found.add(job.id()));

        assertThat(found).hasSize(5_300).isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void searchInPayloads_readsFewRowsInEachStatement() {
        submit(1_100, NOW);
        JobQuery query = JobQuery.all().payload("nowhere");

        JobPage page = store.find(query, NOW);

        assertThat(page.jobs()).isEmpty();
        assertThat(page.lookedAt()).isEqualTo(1_000);
        JobPage rest = store.find(query.after(Objects.requireNonNull(page.next())), NOW);
        assertThat(rest.lookedAt()).isEqualTo(100);
        assertThat(rest.isComplete()).isTrue();
    }

    @Test
    void minutesOfPastHours_areReadFromTheirSums() {
        Instant hour = NOW.truncatedTo(ChronoUnit.HOURS);
        MinuteSpan span = new MinuteSpan(hour, Duration.ofHours(1), 6);
        for (int number = 0; number < 6; number++) {
            record(1, hour.plus(Duration.ofMinutes(60L * number + 59)), 10);
            record(2, hour.plus(Duration.ofMinutes(60L * number)), 1);
        }
        assertThat(starts(span)).containsExactly(11L, 11L, 11L, 11L, 11L, 11L);
        JdbcTemplate sql = new JdbcTemplate(pool);
        sql.update("DELETE FROM delayjob_minute WHERE owner = 0");

        restarted().recordMinutes(3, List.of(minute(hour.plus(Duration.ofMinutes(359)), 100)));
        sql.update(
                "DELETE FROM delayjob_minute WHERE owner > 0 AND minute_at < ?",
                hour.plusSeconds(7_200).toEpochMilli());

        assertThat(starts(span)).as("of hours whose minutes are gone").containsExactly(11L, 11L, 11L, 11L, 11L, 111L);
        assertThat(store.purgeMinutes(hour.plusSeconds(5_400))).isTrue();
        assertThat(store.purgeMinutes(hour.plusSeconds(5_400))).isFalse();
        assertThat(starts(span)).as("an hour is kept to its end").containsExactly(0L, 11L, 11L, 11L, 11L, 111L);
    }

    @Test
    void hoursThatAreLivedThroughAgain_afterTheStoresClockWasSetBack_areAddedUpAnew() {
        Instant hour = NOW.truncatedTo(ChronoUnit.HOURS);
        MinuteSpan span = new MinuteSpan(hour, Duration.ofHours(1), 6);
        for (int number = 0; number < 6; number++) {
            record(1, hour.plus(Duration.ofMinutes(60L * number + 59)), 10);
        }

        record(2, hour.plus(Duration.ofMinutes(30)), 1);

        assertThat(starts(span)).as("by the instance that was there").containsExactly(11L, 10L, 10L, 10L, 10L, 10L);
        restarted().recordMinutes(3, List.of(minute(hour.plus(Duration.ofMinutes(359)), 100)));
        assertThat(sumsOfHours()).as("three hours are over for long").isEqualTo(3);
        restarted().recordMinutes(4, List.of(minute(hour.plus(Duration.ofMinutes(90)), 1_000)));
        assertThat(starts(span)).as("by one that starts").containsExactly(11L, 1_010L, 10L, 10L, 10L, 110L);
        assertThat(sumsOfHours()).as("the hour before is kept").isEqualTo(1);
    }

    @Test
    void minuteWithANameThatIsTooLong_isRefusedAndNotCut() {
        MinuteRow tooLong = new MinuteRow(
                NOW.truncatedTo(ChronoUnit.HOURS), "n".repeat(Handler.MAX_NAME_LENGTH + 1), MinuteCounts.NONE);

        assertThatThrownBy(() -> store.recordMinutes(1, List.of(tooLong))).isInstanceOf(StoreException.class);
    }

    private JdbcJobStore restarted() {
        return JdbcJobStore.builder(pool, new JdbcTransactionManager(pool)).build();
    }

    private int sumsOfHours() {
        Integer rows = new JdbcTemplate(pool)
                .queryForObject("SELECT COUNT(*) FROM delayjob_minute WHERE owner = 0", Integer.class);
        return rows == null ? 0 : rows;
    }

    private void record(long owner, Instant minute, int starts) {
        store.recordMinutes(owner, List.of(minute(minute, starts)));
    }

    private static MinuteRow minute(Instant minute, int starts) {
        return new MinuteRow(
                minute, "mail", new MinuteCounts(starts, 0, 0, 0, Duration.ZERO, MinuteCounts.NONE.late()));
    }

    private List<Long> starts(MinuteSpan span) {
        long[] starts = new long[span.buckets()];
        store.minutes(span).forEach(sum -> starts[sum.bucket()] += sum.counts().starts());
        return LongStream.of(starts).boxed().toList();
    }

    @Test
    void due_ofMoreJobsThanItLooksAt_isCountedAtItsBeginningAndEstimatedBehind() {
        for (int minute = 0; minute < 3; minute++) {
            submit(8_000, NOW.plusSeconds(10 + 60 * minute));
        }

        DueCounts counts = store.due(new DueSpan(NOW, Duration.ofMinutes(1), 3));

        assertThat(counts.due()).containsExactly(8_000L, 8_000L, 8_000L);
        assertThat(counts.precision()).containsExactly(Precision.EXACT, Precision.EXACT, Precision.ABOUT);
        assertThat(counts.lookedAt()).isLessThan(2 * DueCounts.MAX_LOOK);
        assertThat(counts.byName()).isNotEmpty();
    }

    @Test
    void due_ofASlowDatabase_isEstimatedFromFewRows() {
        DueSpan span = new DueSpan(NOW, Duration.ofMinutes(1), 3);
        submit(1_600, NOW.plusSeconds(10));
        DueCounts exact = store.due(span);
        assertThat(exact.due()).containsExactly(1_600L, 0L, 0L);
        assertThat(exact.precision()).containsOnly(Precision.EXACT);
        assertThat(exact.hasCountedNames()).isTrue();

        pace = ReadingTime.LIMIT;
        DueCounts counts = store.due(span);

        assertThat(counts.lookedAt()).isLessThan(1_000);
        assertThat(counts.precision()).doesNotContain(Precision.EXACT);
        assertThat(counts.due().get(0)).isBetween(1_000L, 1_600L);
        assertThat(counts.hasCountedNames()).isFalse();
        assertThat(counts.byName()).isNotEmpty();
    }
}
