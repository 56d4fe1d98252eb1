package io.delayjob.redis;

import io.delayjob.job.AttemptCounts;
import io.delayjob.job.DueRow;
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
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts a job to bytes and back: a head of fixed length, then texts, then the payload. Numbers are big-endian.
 * <pre>
 *    0  version (1)          31  failures (4)      63  scheduled at (8)    93  lengths of nine texts (2 each):
 *    1  state (1)            35  rescues (4)       71  called at (8)           queue, name, key, schedule, retry,
 *    2  token (8)            39  doubt (4)         79  ended at (8)            trace; type, message and stack trace
 *   10  owner (8)            43  run (4)           87  partition (2)           of the failure
 *   18  started at (8)       47  planned at (8)    89  length of           111  the texts, then the payload
 *   26  attempt (4)          55  due at (8)            the payload (4)
 *   30  marks (1): 1 cancellation requested, 2 awaiting, 4 has a key
 * </pre>
 * The text of the trace context also holds the extras, after a mark that no trace context contains. So versions that do
 * not know extras keep them whenever they write the row.
 *
 * <p>A claim changes bytes 1 to 29 and nothing else. Every change of a row changes its {@linkplain #fence first bytes}.
 * Thread-safe.
 */
final class RowFormat {

    /** The layout of rows. A change of this class that older versions cannot read needs another number. */
    static final byte VERSION = 1;

    /** Length of the fence. */
    static final int FENCE_LENGTH = 43;

    /** Length of the head. */
    static final int HEAD_LENGTH = 111;

    /** Length of the first part of a row, which always contains its queue and name, however long these are. */
    static final int DUE_ROW_LENGTH = 1_024;

    private static final int LENGTHS_AT = 93;
    private static final int PAYLOAD_LENGTH_AT = 89;
    private static final int TEXTS = 9;
    private static final int TRACE = 5;
    private static final int MAX_TEXT_BYTES = 0xfffe;
    private static final int NO_TEXT = 0xffff;
    private static final int NO_PAYLOAD = -1;
    private static final long NO_TIME = Long.MIN_VALUE;
    private static final int CANCEL_REQUESTED = 1;
    private static final int AWAITING = 2;
    private static final int KEYED = 4;
    private static final String EXTRAS_BEHIND = "\u001Eextras\n";
    private static final byte EXTRAS_MARK = 0x1E;
    private static final String STATES = "DRFXC";
    private static final List<JobState> STATE_OF =
            List.of(JobState.DELAYED, JobState.RUNNING, JobState.FINISHED, JobState.FAILED, JobState.CANCELLED);

    private final long maxPayloadBytes;

    /** @param maxPayloadBytes maximum length of a payload that is read */
    RowFormat(long maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Returns the first bytes of the row, which differ after every change of the row. */
    byte[] fence(Job job) {
        return putFence(ByteBuffer.allocate(FENCE_LENGTH), job).array();
    }

    private static ByteBuffer putFence(ByteBuffer row, Job job) {
        int marks = (job.cancelRequested() ? CANCEL_REQUESTED : 0)
                | (job.awaiting() ? AWAITING : 0)
                | (job.key() == null ? 0 : KEYED);
        return row.put(VERSION)
                .put((byte) STATES.charAt(STATE_OF.indexOf(job.state())))
                .putLong(job.token())
                .putLong(job.owner())
                .putLong(millis(job.startedAt()))
                .putInt(job.attempt())
                .put((byte) marks)
                .putInt(job.failures())
                .putInt(job.rescues())
                .putInt(job.inDoubt());
    }

    /** Returns the whole row. */
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

    /** Returns the row up to its payload. The row gives the length of this job's payload. */
    byte[] head(Job job) {
        OversizePayload oversize = job.oversize();
        if (oversize != null) {
            return head(job, Math.toIntExact(oversize.bytes()));
        }
        return head(job, job.payload() == null ? NO_PAYLOAD : Bytes.utf8(job.payload()).length);
    }

    private byte[] head(Job job, int payloadLength) {
        Failure failure = job.failure();
        byte[][] texts = {
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
        int length = HEAD_LENGTH;
        for (byte[] text : texts) {
            length += text == null ? 0 : text.length;
        }
        ByteBuffer row = putFence(ByteBuffer.allocate(length), job)
                .putInt(job.run())
                .putLong(millis(job.plannedAt()))
                .putLong(millis(job.dueAt()))
                .putLong(millis(job.scheduledAt()))
                .putLong(millis(job.calledAt()))
                .putLong(millis(job.endedAt()))
                .putShort((short) job.partition().index())
                .putInt(payloadLength);
        for (byte[] text : texts) {
            row.putShort((short) (text == null ? NO_TEXT : text.length));
        }
        for (byte[] text : texts) {
            if (text != null) {
                row.put(text);
            }
        }
        return row.array();
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

    /**
     * Returns the number of bytes of this row that have to be read. {@code begin} holds the bytes that were read first.
     */
    long lengthToRead(JobId id, byte[] begin) {
        ByteBuffer row = checked(id, begin);
        int payload = row.getInt(PAYLOAD_LENGTH_AT);
        return payloadAt(row) + (payload == NO_PAYLOAD || payload > maxPayloadBytes ? 0 : (long) payload);
    }

    private static int payloadAt(ByteBuffer row) {
        int length = HEAD_LENGTH;
        for (int i = 0; i < TEXTS; i++) {
            int text = textLength(row, i);
            length += text == NO_TEXT ? 0 : text;
        }
        return length;
    }

    private static int textLength(ByteBuffer row, int index) {
        return row.getShort(LENGTHS_AT + Short.BYTES * index) & 0xffff;
    }

    private static ByteBuffer checked(JobId id, byte[] row) {
        if (row.length < HEAD_LENGTH || row[0] != VERSION) {
            throw StoreException.refused(
                    "The row of job %s has layout %d and %d bytes: must have layout %d and at least %d bytes; run a version of delayjob that knows the layout."
                            .formatted(id, row.length == 0 ? 0 : row[0], row.length, VERSION, HEAD_LENGTH));
        }
        return ByteBuffer.wrap(row);
    }

    /** Returns the job of a row of which {@link #lengthToRead} bytes or more were read. */
    Job job(JobId id, byte[] bytes) {
        ByteBuffer row = checked(id, bytes);
        int at = HEAD_LENGTH;
        @Nullable String[] texts = new @Nullable String[TEXTS];
        for (int i = 0; i < TEXTS; i++) {
            int length = textLength(row, i);
            if (length != NO_TEXT) {
                texts[i] = Bytes.fromUtf8(Arrays.copyOfRange(bytes, at, at + length));
                at += length;
            }
        }
        int payload = row.getInt(PAYLOAD_LENGTH_AT);
        boolean isOversize = payload > maxPayloadBytes;
        JobTask task = new JobTask(
                present(texts[1]),
                texts[2],
                payload == NO_PAYLOAD || isOversize
                        ? null
                        : Bytes.fromUtf8(Arrays.copyOfRange(bytes, at, at + payload)),
                isOversize ? new OversizePayload(payload, maxPayloadBytes) : null,
                trace(texts[5]),
                extras(texts[5]));
        JobPlan plan = new JobPlan(texts[3], texts[4], time(row, 63), row.getInt(43), time(row, 47), time(row, 55));
        JobEnd end = new JobEnd(
                timeOrNull(row, 71),
                timeOrNull(row, 79),
                texts[6] == null ? null : new Failure(texts[6], texts[7], texts[8]));
        return new Job(id, partition(row, present(texts[0])), task, plan, progress(row), end);
    }

    private static @Nullable String trace(@Nullable String text) {
        int end = text == null ? -1 : text.indexOf(EXTRAS_BEHIND);
        return text == null || end == 0 ? null : end < 0 ? text : text.substring(0, end);
    }

    private static @Nullable String extras(@Nullable String text) {
        int end = text == null ? -1 : text.indexOf(EXTRAS_BEHIND);
        return text == null || end < 0 ? null : text.substring(end + EXTRAS_BEHIND.length());
    }

    private static JobProgress progress(ByteBuffer row) {
        int marks = row.get(30);
        return new JobProgress(
                state(row),
                row.getLong(2),
                row.getLong(10),
                timeOrNull(row, 18),
                (marks & CANCEL_REQUESTED) != 0,
                (marks & AWAITING) != 0,
                new AttemptCounts(row.getInt(26), row.getInt(31), row.getInt(35), row.getInt(39)));
    }

    private static JobState state(ByteBuffer row) {
        return STATE_OF.get(STATES.indexOf(row.get(1)));
    }

    private static Partition partition(ByteBuffer row, String queue) {
        return new Partition(queue, row.getShort(87));
    }

    /**
     * Returns the part of a row that the wheel needs, with the row's owner; {@code null} if it is not in this state.
     */
    @Nullable
    ClaimedRow dueRow(JobId id, byte[] begin, JobState state) {
        ByteBuffer row = checked(id, begin);
        if (state(row) != state) {
            return null;
        }
        int queue = textLength(row, 0);
        int nameAt = HEAD_LENGTH + queue;
        int name = textLength(row, 1);
        Partition partition = partition(row, Bytes.fromUtf8(Arrays.copyOfRange(begin, HEAD_LENGTH, nameAt)));
        String handler = Bytes.fromUtf8(Arrays.copyOfRange(begin, nameAt, nameAt + name));
        return new ClaimedRow(
                new DueRow(id, partition, handler, row.getLong(55), row.getLong(2), mutex(row)), row.getLong(10));
    }

    /**
     * Returns the number of bytes to read of a row, so that {@link #dueRow} finds its mutex. This is more than {@link
     * #DUE_ROW_LENGTH} only if the key, the schedule or the trace context is long.
     */
    int dueRowLength(JobId id, byte[] begin) {
        ByteBuffer row = checked(id, begin);
        int end = traceAt(row) + traceLength(row);
        boolean isEnough = traceLength(row) == 0 || end <= begin.length || showsMutex(extras(traceAndExtras(row)));
        return isEnough ? begin.length : end;
    }

    /** Tells whether this beginning of the extras shows whether the job has a mutex, and which. */
    private static boolean showsMutex(@Nullable String begin) {
        return begin != null
                && (begin.indexOf('\n') >= 0
                        || begin.length() >= JobExtras.MUTEX_START.length()
                                && !begin.startsWith(JobExtras.MUTEX_START));
    }

    private static @Nullable String mutex(ByteBuffer row) {
        return hasExtras(row) ? JobExtras.mutexOf(extras(traceAndExtras(row))) : null;
    }

    /** Looks for the mark without making a text, because few rows of a page have extras. */
    private static boolean hasExtras(ByteBuffer row) {
        int from = traceAt(row);
        int to = Math.min(from + traceLength(row), row.capacity());
        for (int at = from; at < to; at++) {
            if (row.get(at) == EXTRAS_MARK) {
                return true;
            }
        }
        return false;
    }

    /** Returns as much of the text as was read. */
    private static String traceAndExtras(ByteBuffer row) {
        int from = Math.min(traceAt(row), row.capacity());
        int to = Math.min(from + traceLength(row), row.capacity());
        return Bytes.fromUtf8(Arrays.copyOfRange(row.array(), from, to));
    }

    private static int traceAt(ByteBuffer row) {
        int at = HEAD_LENGTH;
        for (int i = 0; i < TRACE; i++) {
            int length = textLength(row, i);
            at += length == NO_TEXT ? 0 : length;
        }
        return at;
    }

    private static int traceLength(ByteBuffer row) {
        int length = textLength(row, TRACE);
        return length == NO_TEXT ? 0 : length;
    }

    private static String present(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static long millis(@Nullable Instant time) {
        return time == null ? NO_TIME : time.toEpochMilli();
    }

    private static Instant time(ByteBuffer row, int at) {
        return Instant.ofEpochMilli(row.getLong(at));
    }

    private static @Nullable Instant timeOrNull(ByteBuffer row, int at) {
        return row.getLong(at) == NO_TIME ? null : time(row, at);
    }
}
