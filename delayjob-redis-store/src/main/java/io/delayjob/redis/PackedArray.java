package io.delayjob.redis;

import io.delayjob.job.JobId;
import java.nio.ByteBuffer;

/**
 * An array in the format MessagePack, which a script unpacks. One long argument of a script costs the server much less
 * work than many short arguments. Not thread-safe.
 */
final class PackedArray {

    private static final int MAX_SHORT_NUMBER = 0x7f;
    private static final byte NUMBER_32 = (byte) 0xce;
    private static final int SHORT_BYTES = 0xa0;
    private static final int MAX_SHORT_BYTES = 31;
    private static final byte BYTES_8 = (byte) 0xd9;
    private static final int MAX_BYTES_8 = 0xff;
    private static final byte BYTES_32 = (byte) 0xdb;
    private static final byte ARRAY_32 = (byte) 0xdd;

    /**
     * An element begins with its type and the length of its content. Both together have at most this number of bytes.
     */
    private static final int LONGEST_TYPE = 1 + Integer.BYTES;

    private static final int FIRST_CAPACITY = 64;

    private ByteBuffer elements = ByteBuffer.allocate(FIRST_CAPACITY);
    private int size;

    PackedArray add(int number) {
        ByteBuffer out = roomFor(0);
        if (number <= MAX_SHORT_NUMBER) {
            out.put((byte) number);
        } else {
            out.put(NUMBER_32).putInt(number);
        }
        size++;
        return this;
    }

    PackedArray add(byte[] bytes) {
        begin(bytes.length).put(bytes);
        return this;
    }

    PackedArray add(String bytes) {
        return add(Bytes.of(bytes));
    }

    PackedArray addDigits(long number) {
        return add(Long.toString(number));
    }

    PackedArray add(JobId id) {
        begin(Keyspace.ID_LENGTH)
                .putLong(id.value().getMostSignificantBits())
                .putLong(id.value().getLeastSignificantBits());
        return this;
    }

    private ByteBuffer begin(int length) {
        ByteBuffer out = roomFor(length);
        if (length <= MAX_SHORT_BYTES) {
            out.put((byte) (SHORT_BYTES | length));
        } else if (length <= MAX_BYTES_8) {
            out.put(BYTES_8).put((byte) length);
        } else {
            out.put(BYTES_32).putInt(length);
        }
        size++;
        return out;
    }

    PackedArray add(PackedArray array) {
        array.writeTo(roomFor(array.elements.position()));
        size++;
        return this;
    }

    PackedArray addAll(PackedArray other) {
        int length = other.elements.position();
        roomFor(length).put(other.elements.array(), 0, length);
        size += other.size;
        return this;
    }

    PackedArray moveFrom(PackedArray other) {
        addAll(other);
        other.elements.clear();
        other.size = 0;
        return this;
    }

    /** The length in bytes. */
    int length() {
        return elements.position();
    }

    byte[] toBytes() {
        ByteBuffer array = ByteBuffer.allocate(LONGEST_TYPE + elements.position());
        writeTo(array);
        return array.array();
    }

    private void writeTo(ByteBuffer out) {
        out.put(ARRAY_32).putInt(size).put(elements.array(), 0, elements.position());
    }

    /** A longer buffer may replace the present buffer, so callers must use the returned buffer. */
    private ByteBuffer roomFor(int length) {
        int needed = Math.addExact(elements.position(), LONGEST_TYPE + length);
        if (needed > elements.capacity()) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * elements.capacity(), needed));
            elements = larger.put(elements.flip());
        }
        return elements;
    }
}
