package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobExtras;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bytes of a row. */
class RowFormatTest {

    private static final JobId ID = new JobId(new UUID(0x0123_4567_89ab_7cdeL, 0x8000_0000_0000_0001L));
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Job RUNNING = new Job(
            ID,
            new Partition("mail-ü", 1_023),
            new JobTask("send-日本", "order \u0000 42", "{\"n\":1}", null, "00-trace-01"),
            new JobPlan("gaps:PT1S*", "delays:PT1S", NOW.minusSeconds(9), 7, NOW.minusMillis(3), NOW),
            new JobProgress(
                    JobState.RUNNING, Long.MIN_VALUE, Long.MAX_VALUE, NOW, true, true, new AttemptCounts(1, 2, 3, 4)),
            JobEnd.NONE);
    private static final Job BARE = new Job(
            ID,
            new Partition("q", 0),
            JobTask.of("n"),
            JobPlan.once(Instant.EPOCH, Instant.parse("1950-01-01T00:00:00Z")),
            JobProgress.first(-1),
            JobEnd.NONE);

    private final RowFormat format = new RowFormat(100);

    @Test
    void row_withEveryField_comesBack() {
        assertThat(format.job(ID, format.row(RUNNING))).isEqualTo(RUNNING);
    }

    @Test
    void row_withoutWhatMayBeMissing_comesBack() {
        assertThat(format.job(ID, format.row(BARE))).isEqualTo(BARE);
    }

    @Test
    void row_ofAJobWithItsUsualValues_leavesThemOut() {
        Instant made = Instant.ofEpochMilli(ID.madeAtMillis());
        Job usual = BARE.with(JobPlan.once(made, NOW));
        Job counted = usual.with(usual.progress().with(new AttemptCounts(0, 0, 7, 0)));
        Job moved = usual.with(usual.plan().due(NOW.plusMillis(1)));

        assertThat(format.row(usual)).hasSize(51 + "q".length() + "n".length());
        assertThat(format.row(counted)).hasSize(format.row(usual).length + Integer.BYTES);
        assertThat(format.row(moved)).hasSize(format.row(usual).length + Long.BYTES);
        for (Job job : List.of(usual, counted, moved)) {
            assertThat(format.job(ID, format.row(job))).isEqualTo(job);
        }
    }

    @Test
    void row_withoutItsWholeHead_isRefused() {
        Job counted = BARE.with(BARE.progress().with(new AttemptCounts(1, 2, 3, 4)));
        byte[] row = format.row(counted);

        assertThatThrownBy(() -> format.lengthToRead(ID, Arrays.copyOf(row, 60)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("layout 2 and 60 bytes: must have layout 2 and at least 71 bytes");
    }

    @Test
    void row_ofAFailedJob_comesBackWithItsPayloadBehindTheFailure() {
        Job failed = RUNNING.with(RUNNING.progress().in(JobState.FAILED))
                .with(new JobEnd(NOW, NOW.plusMillis(1), new Failure("E", "boom", "E: boom\n\tat x")));

        byte[] row = format.row(failed);

        assertThat(format.job(ID, row)).isEqualTo(failed);
        assertThat(Arrays.copyOf(row, format.head(failed).length)).isEqualTo(format.head(failed));
        assertThat(new String(row, StandardCharsets.UTF_8)).endsWith("{\"n\":1}");
    }

    @Test
    void emptyTexts_areNoMissingTexts() {
        Job empty = BARE.with(new JobTask("n", "", "", null, ""));

        assertThat(format.job(ID, format.row(empty))).isEqualTo(empty);
    }

    @Test
    void extras_comeBack_withAndWithoutATrace() {
        Job extra = RUNNING.with(RUNNING.task().withExtras("expires PT10M\nlater \u00fc"));
        Job bare = BARE.with(BARE.task().withExtras("expires PT10M"));
        Job strange = BARE.with(new JobTask("n", null, null, null, "\n\\.\n", "expires PT10M"));

        assertThat(format.job(ID, format.row(extra))).isEqualTo(extra);
        assertThat(format.job(ID, format.row(bare))).isEqualTo(bare);
        assertThat(format.job(ID, format.row(strange))).isEqualTo(strange);
    }

    @Test
    void payload_longerThanIsRead_staysBehind() {
        Job longer = BARE.with(new JobTask("n", null, "x".repeat(101), null, null));
        byte[] row = format.row(longer);

        assertThat(format.lengthToRead(ID, row)).isEqualTo(row.length - 101);
        Job read = format.job(ID, Arrays.copyOf(row, row.length - 101));
        assertThat(read.oversize()).isEqualTo(new OversizePayload(101, 100));
        assertThat(read.payload()).isNull();
        assertThat(format.head(read)).isEqualTo(format.head(longer));
    }

    @Test
    void fence_isTheBeginningOfTheRow_andDiffersAfterEveryKindOfChange() {
        byte[] fence = format.fence(RUNNING);

        assertThat(Arrays.copyOf(format.row(RUNNING), fence.length)).isEqualTo(fence);
        assertThat(format.fence(RUNNING.with(RUNNING.progress().fencedBy(5)))).isNotEqualTo(fence);
        assertThat(format.fence(RUNNING.with(RUNNING.progress().awaiting(false))))
                .isNotEqualTo(fence);
        assertThat(format.fence(RUNNING.with(RUNNING.task().withKey(null)))).isNotEqualTo(fence);
        assertThat(format.fence(RUNNING.with(RUNNING.progress().with(new AttemptCounts(1, 2, 3, 3)))))
                .isNotEqualTo(fence);
        assertThat(format.fence(RUNNING.with(RUNNING.progress().with(new AttemptCounts(1, 3, 2, 0)))))
                .isNotEqualTo(format.fence(RUNNING.with(RUNNING.progress().with(new AttemptCounts(1, 3, 0, 2)))));
    }

    @Test
    void dueRow_isReadFromTheBeginning_ifItHasTheState() {
        byte[] begin = Arrays.copyOf(format.row(RUNNING), RowFormat.DUE_ROW_LENGTH);

        assertThat(format.dueRow(ID, begin, JobState.RUNNING))
                .isEqualTo(new ClaimedRow(RUNNING.toDueRow(), Long.MAX_VALUE));
        assertThat(format.dueRow(ID, begin, JobState.DELAYED)).isNull();
    }

    @Test
    void dueRow_hasTheMutex_ifEnoughOfTheRowWasRead() {
        String mutex = "\u65e5".repeat(100);
        String extras = JobExtras.NONE.withMutex(mutex).withLabel("l").toText();
        Job near = RUNNING.with(RUNNING.task().withExtras(extras));
        Job far = RUNNING.with(RUNNING.task().withKey("\u65e5".repeat(200)).withExtras(extras));
        Job none = RUNNING.with(RUNNING.task().withExtras("expires PT10M\nthen " + "x".repeat(5_000)));

        assertThat(mutexOf(near, RowFormat.DUE_ROW_LENGTH)).isEqualTo(mutex);
        assertThat(mutexOf(none, RowFormat.DUE_ROW_LENGTH)).isNull();
        byte[] begin = Arrays.copyOf(format.row(far), RowFormat.DUE_ROW_LENGTH);
        int enough = format.dueRowLength(ID, begin);
        assertThat(enough).isGreaterThan(RowFormat.DUE_ROW_LENGTH);
        assertThat(mutexOf(far, enough)).isEqualTo(mutex);
    }

    @Test
    void dueRow_hasAllKeys_ifEnoughOfTheRowWasRead() {
        String longest = "\u65e5".repeat(100);
        String extras = JobExtras.NONE
                .withMutex(longest)
                .withRateKey(longest)
                .withFairKey(longest)
                .toText();
        Job near = RUNNING.with(RUNNING.task().withExtras(extras));
        Job far = RUNNING.with(RUNNING.task().withKey("\u65e5".repeat(150)).withExtras(extras));

        assertThat(format.dueRow(ID, format.row(near), JobState.RUNNING).row().keys())
                .isEqualTo(new ClaimKeys(longest, longest, longest));
        byte[] begin = Arrays.copyOf(format.row(far), RowFormat.DUE_ROW_LENGTH);
        int enough = format.dueRowLength(ID, begin);
        assertThat(enough).isGreaterThan(RowFormat.DUE_ROW_LENGTH);
        byte[] more = Arrays.copyOf(format.row(far), enough);
        assertThat(format.dueRow(ID, more, JobState.RUNNING).row().keys())
                .isEqualTo(new ClaimKeys(longest, longest, longest));
    }

    private String mutexOf(Job job, int length) {
        byte[] row = format.row(job);
        byte[] begin = Arrays.copyOf(row, Math.min(length, row.length));
        assertThat(format.dueRowLength(ID, begin)).isEqualTo(begin.length);
        return format.dueRow(ID, begin, JobState.RUNNING).row().mutex();
    }

    @Test
    void row_ofAnotherLayout_isRefusedWithItsNumber() {
        byte[] row = format.row(BARE);
        row[0] = 9;

        assertThatThrownBy(() -> format.job(ID, row))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.isTransient()).isFalse())
                .hasMessageContaining("layout 9")
                .hasMessageContaining(ID.toString());
        assertThatThrownBy(() -> format.job(ID, new byte[3])).isInstanceOf(StoreException.class);
    }

    @Test
    void text_thatIsTooLong_isRefusedWithItsLength() {
        Job wide = BARE.with(new JobTask("n".repeat(65_536), null, null, null, null));

        assertThatThrownBy(() -> format.row(wide))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("65536 bytes")
                .hasMessageContaining("at most 65535 bytes");
    }

    @Test
    void members_areInTheOrderOfIds_andLeadBack() {
        JobId last = new JobId(new UUID(-1, -1));

        assertThat(Keyspace.member(ID)).hasSize(16).isLessThan(Keyspace.member(last));
        assertThat(Keyspace.id(Bytes.of("field" + Keyspace.member(ID)))).isEqualTo(ID);
        assertThat(Keyspace.ids(Bytes.of(Keyspace.member(ID) + Keyspace.member(last))))
                .containsExactly(ID, last);
        Partition partition = new Partition("a:b-ü", 17);
        assertThat(Keyspace.partition(Bytes.of(Keyspace.member(partition)))).isEqualTo(partition);
    }
}
