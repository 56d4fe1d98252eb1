package io.delayjob.job;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A stored payload that was not read, because it is longer than the limit of the store.
 *
 * @param bytes length of the payload, in bytes of UTF-8
 * @param limit maximum length that the store reads, in bytes of UTF-8
 */
public record OversizePayload(long bytes, long limit) {

    /** Default maximum length of a payload that a store reads: 1 MiB. */
    public static final long DEFAULT_LIMIT = 1_048_576;

    /** Maximum number of bytes of UTF-8 for one character of a Java string. */
    public static final int MAX_BYTES_PER_CHARACTER = 3;

    static @Nullable OversizePayload of(String payload, long limit) {
        if ((long) payload.length() * MAX_BYTES_PER_CHARACTER <= limit) {
            return null;
        }
        long bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= limit ? null : new OversizePayload(bytes, limit);
    }

    /** Returns a text about the problem and its remedy. */
    public String message() {
        return ("The stored payload has %d bytes and was not read: must have at most %d bytes "
                        + "(delayjob.payload.max-read-size). Raise that limit if the heap can hold the payload. Otherwise "
                        + "replace or cancel the job.")
                .formatted(bytes, limit);
    }
}
