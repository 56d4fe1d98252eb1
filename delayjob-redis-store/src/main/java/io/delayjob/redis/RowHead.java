package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.delayjob.store.StoreException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a row, in the layout that {@link RowFormat} describes. The texts after the head may be incomplete.
 * Immutable.
 */
final class RowHead {

    /** The number of the layout of rows. A layout that older versions of delayjob cannot read needs a new number. */
    static final byte VERSION = 2;

    /** Length of the part from the version to the marks, which all rows have. */
    static final int FIXED_LENGTH = 31;

    static final int STATE_AT = 1;
    static final int TOKEN_AT = 2;
    static final int OWNER_AT = 10;
    static final int STARTED_AT = 18;
    static final int ATTEMPT_AT = 26;
    static final int MARKS_AT = 30;

    static final int CANCEL_REQUESTED = 1;
    static final int AWAITING = 2;
    static final int KEYED = 4;

    /** Number of counters. */
    static final int COUNTERS = 3;

    /** Number of optional numbers. */
    static final int NUMBERS = 5;

    /** Number of texts. */
    static final int TEXTS = 9;

    /** Number of texts that all rows have: queue and name. */
    static final int SURE_TEXTS = 2;

    /** Length of four parts together: the fields, the due time, the partition, and the length of the payload. */
    static final int PLAN_LENGTH = 2 * Short.BYTES + Long.BYTES + Integer.BYTES;

    private static final int SHORTEST = FIXED_LENGTH + PLAN_LENGTH + SURE_TEXTS * Short.BYTES;
    private static final int FIRST_COUNTER = 3;

    private final byte[] bytes;
    private final ByteBuffer row;
    private final int fieldsAt;
    private final int fields;

    /** The positions of all texts, even of unread ones, and then the position of the payload. */
    private final int[] textsAt = new int[TEXTS + 1];

    RowHead(JobId id, byte[] bytes) {
        this.bytes = bytes;
        this.row = ByteBuffer.wrap(bytes);
        if (bytes.length < SHORTEST || bytes[0] != VERSION) {
            throw unreadable(id, SHORTEST);
        }
        this.fieldsAt = FIXED_LENGTH + Integer.BYTES * countersBelow(COUNTERS);
        this.fields = row.getShort(fieldsAt) & 0xffff;
        int lengthAt = numberAt(NUMBERS);
        int at = lengthAt + Short.BYTES * (SURE_TEXTS + Integer.bitCount(fields >>> NUMBERS));
        if (bytes.length < at) {
            throw unreadable(id, at);
        }
        for (int text = 0; text < TEXTS; text++) {
            textsAt[text] = at;
            if (hasText(text)) {
                at += row.getShort(lengthAt) & 0xffff;
                lengthAt += Short.BYTES;
            }
        }
        textsAt[TEXTS] = at;
    }

    private StoreException unreadable(JobId id, int length) {
        return StoreException.refused(
                "The row of job %s has layout %d and %d bytes: must have layout %d and at least %d bytes; run a version of delayjob that knows the layout."
                        .formatted(id, bytes.length == 0 ? 0 : bytes[0], bytes.length, VERSION, length));
    }

    static int markOf(int counter) {
        return 1 << FIRST_COUNTER + counter;
    }

    static int bitOfNumber(int number) {
        return 1 << number;
    }

    /** Returns 0 for a text that all rows have. */
    static int bitOfText(int text) {
        return text < SURE_TEXTS ? 0 : 1 << NUMBERS + text - SURE_TEXTS;
    }

    byte state() {
        return bytes[STATE_AT];
    }

    long token() {
        return row.getLong(TOKEN_AT);
    }

    long owner() {
        return row.getLong(OWNER_AT);
    }

    long started() {
        return row.getLong(STARTED_AT);
    }

    int attempt() {
        return row.getInt(ATTEMPT_AT);
    }

    boolean isMarked(int mark) {
        return (bytes[MARKS_AT] & mark) != 0;
    }

    /** Returns 0 if the row does not have the counter. */
    int counter(int counter) {
        return isMarked(markOf(counter)) ? row.getInt(FIXED_LENGTH + Integer.BYTES * countersBelow(counter)) : 0;
    }

    private int countersBelow(int counter) {
        return Integer.bitCount(bytes[MARKS_AT] & (markOf(counter) - markOf(0)));
    }

    long due() {
        return row.getLong(fieldsAt + Short.BYTES);
    }

    int partition() {
        return row.getShort(fieldsAt + Short.BYTES + Long.BYTES);
    }

    /** Returns a negative number if there is no payload. */
    int payloadLength() {
        return row.getInt(fieldsAt + 2 * Short.BYTES + Long.BYTES);
    }

    long number(int number, long usual) {
        return (fields & bitOfNumber(number)) == 0 ? usual : row.getLong(numberAt(number));
    }

    private int numberAt(int number) {
        return fieldsAt + PLAN_LENGTH + Long.BYTES * Integer.bitCount(fields & (bitOfNumber(number) - 1));
    }

    private boolean hasText(int text) {
        return text < SURE_TEXTS || (fields & bitOfText(text)) != 0;
    }

    /** Returns 0 if the row does not have the text. */
    int textLength(int text) {
        return textsAt[text + 1] - textsAt[text];
    }

    int textAt(int text) {
        return textsAt[text];
    }

    int payloadAt() {
        return textsAt[TEXTS];
    }

    /** Returns only the part of the text that was read; {@code null} if the row does not have the text. */
    @Nullable
    String text(int text) {
        if (!hasText(text)) {
            return null;
        }
        int from = Math.min(textAt(text), bytes.length);
        int to = Math.min(from + textLength(text), bytes.length);
        return Bytes.fromUtf8(bytes, from, to - from);
    }

    /** Searches only the part of the text that was read. */
    boolean textHolds(int text, byte wanted) {
        int from = textAt(text);
        int to = Math.min(from + textLength(text), bytes.length);
        for (int at = from; at < to; at++) {
            if (bytes[at] == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Call this method only if the payload was read with the row. */
    String payload() {
        return Bytes.fromUtf8(bytes, payloadAt(), payloadLength());
    }
}
