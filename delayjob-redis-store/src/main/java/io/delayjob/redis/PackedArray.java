package io.delayjob.redis;

import java.io.ByteArrayOutputStream;

/**
 * An array in MessagePack, which a script unpacks: numbers that are not negative, bytes, and further arrays. For a
 * server, one long argument costs a fraction of many short arguments. Not thread-safe.
 */
final class PackedArray {

    private static final int MAX_SHORT_NUMBER = 0x7f;
    private static final int NUMBER_32 = 0xce;
    private static final int SHORT_BYTES = 0xa0;
    private static final int MAX_SHORT_BYTES = 31;
    private static final int BYTES_8 = 0xd9;
    private static final int MAX_BYTES_8 = 0xff;
    private static final int BYTES_32 = 0xdb;
    private static final int ARRAY_32 = 0xdd;

    private final ByteArrayOutputStream elements = new ByteArrayOutputStream();
    private int size;

    PackedArray add(int number) {
        if (number <= MAX_SHORT_NUMBER) {
            elements.write(number);
        } else {
            write(elements, NUMBER_32, number);
        }
        size++;
        return this;
    }

    PackedArray add(byte[] bytes) {
        if (bytes.length <= MAX_SHORT_BYTES) {
            elements.write(SHORT_BYTES | bytes.length);
        } else if (bytes.length <= MAX_BYTES_8) {
            elements.write(BYTES_8);
            elements.write(bytes.length);
        } else {
            write(elements, BYTES_32, bytes.length);
        }
        elements.writeBytes(bytes);
        size++;
        return this;
    }

    /** Adds a string of bytes. */
    PackedArray add(String bytes) {
        return add(Bytes.of(bytes));
    }

    /** Adds an array as one element. */
    PackedArray add(PackedArray array) {
        array.writeTo(elements);
        size++;
        return this;
    }

    /** Adds all elements of another array. */
    PackedArray addAll(PackedArray other) {
        elements.writeBytes(other.elements.toByteArray());
        size += other.size;
        return this;
    }

    /** Moves the elements of another array to the end of this one. */
    PackedArray moveFrom(PackedArray other) {
        addAll(other);
        other.elements.reset();
        other.size = 0;
        return this;
    }

    /** Returns the length of all elements, in bytes. */
    int length() {
        return elements.size();
    }

    byte[] toBytes() {
        ByteArrayOutputStream array = new ByteArrayOutputStream(1 + Integer.BYTES + elements.size());
        writeTo(array);
        return array.toByteArray();
    }

    private void writeTo(ByteArrayOutputStream out) {
        write(out, ARRAY_32, size);
        out.writeBytes(elements.toByteArray());
    }

    private static void write(ByteArrayOutputStream out, int type, int number) {
        out.write(type);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            out.write(number >>> shift);
        }
    }
}
