package io.delayjob.redis;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.ClaimKeys;
import io.delayjob.job.DueRow;
import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobEnd;
import io.delayjob.job.JobId;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobProgress;
import io.delayjob.job.JobState;
import io.delayjob.job.JobTask;
import io.delayjob.job.OversizePayload;
import io.delayjob.job.Partition;
import io.delayjob.store.ClaimedRow;
import io.delayjob.store.StoreException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts a job to the bytes of a row, and back. A row has a head, then texts, then the payload. Numbers are
 * big-endian. Fields that have their usual values are not stored, so the head of most waiting jobs has 51 bytes.
 * <pre>
 *    0  version (1)       10  owner (8)        30  marks (1): 1 cancellation requested, 2 awaiting, 4 has a key, and
 *    1  state (1)         18  started at (8)       counters that are not 0: 8 failures, 16 rescues, 32 in doubt
 *    2  token (8)         26  attempt (4)      31  these counters (4 each)
 *
 *   then  fields (2): a bit for each of the following numbers and texts that the row has
 *         due at (8), partition (2), length of the payload (4)
 *         numbers (8 each): 1 run, unless it is the first, 2 planned at, unless due then, 4 scheduled at, unless it is
 *                           the time in the id, 8 called at, 16 ended at
 *         lengths of texts (2 each): queue, name, 32 key, 64 schedule, 128 retry, 256 trace,
 *                                    512 type, 1,024 message and 2,048 stack trace of the failure
 *         these texts, then the payload
 * </pre>
 * The job's extras are in the text of the trace context, behind a mark that no trace context contains. So even a
 * version of delayjob that does not support extras keeps the extras when it writes a row.
 *
 * <p>A claim changes bytes 1 to 29 and nothing else. Every change of a row changes its {@linkplain #fence first bytes}.
 * {@link RowHead} reads a head. Thread-safe.
 */
final class RowFormat {

    /**
     * Number of bytes of a row that are read first. These bytes contain the queue and the name, even if both are long.
     */
    static final int DUE_ROW_LENGTH = 1_024;

    private static final int TRACE = 5;
    private static final int MAX_TEXT_BYTES = 0xffff;
    private static final int NO_PAYLOAD = -1;
    private static final long NO_TIME = Long.MIN_VALUE;
    private static final long FIRST_RUN = 1;
    private static final String EXTRAS_BEHIND = "\u001Eextras\n";
    private static final byte EXTRAS_MARK = 0x1E;
    private static final String STATES = "DRFXC";
    private static final List<JobState> STATE_OF =
            List.of(JobState.DELAYED, JobState.RUNNING, JobState.FINISHED, JobState.FAILED, JobState.CANCELLED);

    private final long maxPayloadBytes;

    RowFormat(long maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Every change of the row also changes these first bytes. */
    byte[] fence(Job job) {
        int[] counters = {job.failures(), job.rescues(), job.inDoubt()};
        int marks = (job.cancelRequested() ? RowHead.CANCEL_REQUESTED : 0)
                | (job.awaiting() ? RowHead.AWAITING : 0)
                | (job.key() == null ? 0 : RowHead.KEYED);
        int length = RowHead.FIXED_LENGTH;
        for (int i = 0; i < RowHead.COUNTERS; i++) {
            if (counters[i] != 0) {
                marks |= RowHead.markOf(i);
                length += Integer.BYTES;
            }
        }
        ByteBuffer fence = ByteBuffer.allocate(length)
                .put(RowHead.VERSION)
                .put((byte) STATES.charAt(STATE_OF.indexOf(job.state())))
                .putLong(job.token())
                .putLong(job.owner())
                .putLong(millis(job.startedAt()))
                .putInt(job.attempt())
                .put((byte) marks);
        for (int counter : counters) {
            if (counter != 0) {
                fence.putInt(counter);
            }
        }
        return fence.array();
    }

    static byte[] waiting(long token) {
        return ByteBuffer.allocate(RowHead.OWNER_AT)
                .put(RowHead.VERSION)
                .put((byte) STATES.charAt(STATE_OF.indexOf(JobState.DELAYED)))
                .putLong(token)
                .array();
    }

    /**
     * The bytes that a claim writes to the beginning of a row. In the row, the number of the attempt follows these
     * bytes.
     */
    static byte[] claimed(long token, long owner, long startedMillis) {
        return ByteBuffer.allocate(RowHead.ATTEMPT_AT)
                .put(RowHead.VERSION)
                .put((byte) STATES.charAt(STATE_OF.indexOf(JobState.RUNNING)))
                .putLong(token)
                .putLong(owner)
                .putLong(startedMillis)
                .array();
    }

    byte[] row(Job job) {
        if (job.payload() == null) {
            return head(job, NO_PAYLOAD);
        }
        byte[] payload = Bytes.utf8(job.payload());
        byte[] head = head(job, payload.length);
        byte[] row = Arrays.copyOf(head, head.length + payload.length);
        System.arraycopy(payload, 0, row, head.length, payload.length);
        return row;
    }

    /** Returns the head and the texts: all bytes of the row that come before the payload. */
    byte[] head(Job job) {
        return head(job, payloadLength(job));
    }

    /** Returns the length of the payload, even if the payload is too long to be read. */
    int payloadLength(Job job) {
        OversizePayload oversize = job.oversize();
        if (oversize != null) {
            return Math.toIntExact(oversize.bytes());
        }
        return job.payload() == null ? NO_PAYLOAD : Bytes.utf8(job.payload()).length;
    }

    private byte[] head(Job job, int payloadLength) {
        byte[] fence = fence(job);
        long[] numbers = numbers(job);
        long[] usual = usualNumbers(job.id(), millis(job.dueAt()));
        byte[][] texts = texts(job);
        int fields = 0;
        int length = fence.length + RowHead.PLAN_LENGTH;
        for (int i = 0; i < RowHead.NUMBERS; i++) {
            if (numbers[i] != usual[i]) {
                fields |= RowHead.bitOfNumber(i);
                length += Long.BYTES;
            }
        }
        for (int i = 0; i < RowHead.TEXTS; i++) {
            if (texts[i] != null) {
                fields |= RowHead.bitOfText(i);
                length += Short.BYTES + texts[i].length;
            }
        }
        ByteBuffer row = ByteBuffer.allocate(length)
                .put(fence)
                .putShort((short) fields)
                .putLong(millis(job.dueAt()))
                .putShort((short) job.partition().index())
                .putInt(payloadLength);
        for (int i = 0; i < RowHead.NUMBERS; i++) {
            if (numbers[i] != usual[i]) {
                row.putLong(numbers[i]);
            }
        }
        for (byte[] text : texts) {
            if (text != null) {
                row.putShort((short) text.length);
            }
        }
        for (byte[] text : texts) {
            if (text != null) {
                row.put(text);
            }
        }
        return row.array();
    }

    private static long[] numbers(Job job) {
        return new long[] {
            job.run(), millis(job.plannedAt()), millis(job.scheduledAt()), millis(job.calledAt()), millis(job.endedAt())
        };
    }

    private static long[] usualNumbers(JobId id, long due) {
        return new long[] {FIRST_RUN, due, id.madeAtMillis(), NO_TIME, NO_TIME};
    }

    private static byte[][] texts(Job job) {
        Failure failure = job.failure();
        return new byte[][] {
            encoded(job, job.partition().queue()),
            encoded(job, job.name()),
            encoded(job, job.key()),
            encoded(job, job.schedule()),
            encoded(job, job.retry()),
            encoded(job, traceAndExtras(job.task())),
            encoded(job, failure == null ? null : failure.type()),
            encoded(job, failure == null ? null : failure.message()),
            encoded(job, failure == null ? null : failure.stackTrace())
        };
    }

    private static @Nullable String traceAndExtras(JobTask task) {
        return task.extras() == null
                ? task.trace()
                : Objects.requireNonNullElse(task.trace(), "") + EXTRAS_BEHIND + task.extras();
    }

    private static byte @Nullable [] encoded(Job job, @Nullable String text) {
        return text == null ? null : checked(job, Bytes.utf8(text));
    }

    private static byte[] checked(Job job, byte[] text) {
        if (text.length > MAX_TEXT_BYTES) {
            throw StoreException.refused(
                    "Job %s has a text of %d bytes: must have at most %d bytes; put long data into the payload."
                            .formatted(job.id(), text.length, MAX_TEXT_BYTES));
        }
        return text;
    }

    /** Returns how many bytes of the row to read. A payload that is too long is not read. */
    long lengthToRead(JobId id, byte[] begin) {
        RowHead head = new RowHead(id, begin);
        int payload = head.payloadLength();
        return head.payloadAt() + (payload == NO_PAYLOAD || payload > maxPayloadBytes ? 0L : payload);
    }

    /** @param bytes at least the first {@link #lengthToRead} bytes of the row */
    Job job(JobId id, byte[] bytes) {
        RowHead head = new RowHead(id, bytes);
        long[] numbers = usualNumbers(id, head.due());
        Arrays.setAll(numbers, i -> head.number(i, numbers[i]));
        @Nullable String[] texts = new @Nullable String[RowHead.TEXTS];
        for (int i = 0; i < RowHead.TEXTS; i++) {
            texts[i] = head.text(i);
        }
        int payload = head.payloadLength();
        boolean isOversize = payload > maxPayloadBytes;
        JobTask task = new JobTask(
                present(texts[1]),
                texts[2],
                payload == NO_PAYLOAD || isOversize ? null : head.payload(),
                isOversize ? new OversizePayload(payload, maxPayloadBytes) : null,
                trace(texts[TRACE]),
                extras(texts[TRACE]));
        JobPlan plan = new JobPlan(
                texts[3],
                texts[4],
                Instant.ofEpochMilli(numbers[2]),
                (int) numbers[0],
                Instant.ofEpochMilli(numbers[1]),
                Instant.ofEpochMilli(head.due()));
        JobEnd end = new JobEnd(
                time(numbers[3]),
                time(numbers[4]),
                texts[6] == null ? null : new Failure(texts[6], texts[7], texts[8]));
        return new Job(id, new Partition(present(texts[0]), head.partition()), task, plan, progress(head), end);
    }

    private static @Nullable String trace(@Nullable String text) {
        int end = text == null ? -1 : text.indexOf(EXTRAS_BEHIND);
        return text == null || end == 0 ? null : end < 0 ? text : text.substring(0, end);
    }

    private static @Nullable String extras(@Nullable String text) {
        int end = text == null ? -1 : text.indexOf(EXTRAS_BEHIND);
        return text == null || end < 0 ? null : text.substring(end + EXTRAS_BEHIND.length());
    }

    private static JobProgress progress(RowHead head) {
        return new JobProgress(
                state(head),
                head.token(),
                head.owner(),
                time(head.started()),
                head.isMarked(RowHead.CANCEL_REQUESTED),
                head.isMarked(RowHead.AWAITING),
                new AttemptCounts(head.attempt(), head.counter(0), head.counter(1), head.counter(2)));
    }

    private static JobState state(RowHead head) {
        return STATE_OF.get(STATES.indexOf(head.state()));
    }

    /** Returns {@code null} if the job is in another state. */
    @Nullable
    ClaimedRow dueRow(JobId id, byte[] begin, JobState state) {
        RowHead head = new RowHead(id, begin);
        if (state(head) != state) {
            return null;
        }
        Partition partition = new Partition(present(head.text(0)), head.partition());
        return new ClaimedRow(
                new DueRow(id, partition, present(head.text(1)), head.due(), head.token(), keys(head)), head.owner());
    }

    /** Returns how many bytes of a row must be read, so that {@link #dueRow} finds the keys of the job. */
    int dueRowLength(JobId id, byte[] begin) {
        RowHead head = new RowHead(id, begin);
        int length = head.textLength(TRACE);
        int end = head.textAt(TRACE) + length;
        boolean isEnough = length == 0 || end <= begin.length || showsKeys(extras(head.text(TRACE)));
        return isEnough ? begin.length : end;
    }

    private static boolean showsKeys(@Nullable String begin) {
        return begin != null && ClaimKeys.areWithin(begin);
    }

    /** Few rows have extras, so this method first looks in the bytes for the mark that extras begin with. */
    private static @Nullable ClaimKeys keys(RowHead head) {
        return head.textHolds(TRACE, EXTRAS_MARK) ? ClaimKeys.of(extras(head.text(TRACE))) : null;
    }

    private static String present(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static long millis(@Nullable Instant time) {
        return time == null ? NO_TIME : time.toEpochMilli();
    }

    private static @Nullable Instant time(long millis) {
        return millis == NO_TIME ? null : Instant.ofEpochMilli(millis);
    }
}
