package io.delayjob.job;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Stands for a stored payload that a store leaves where it is, because it is longer than the store may read. Another
 * application has written it, or somebody by hand: an engine refuses such a payload when the job is scheduled.
 *
 * @param bytes length of the stored payload, in bytes of UTF-8
 * @param limit longest payload that the store reads, in bytes of UTF-8
 */
public record OversizePayload(long bytes, long limit) {

    /** Longest payload that a store reads unless it is told otherwise: 1 MiB. */
    public static final long DEFAULT_LIMIT = 1_048_576;

    /** A character of a Java string takes at most this many bytes of UTF-8. */
    public static final int MAX_BYTES_PER_CHARACTER = 3;

    /** This, or {@code null} for a payload that may be read. */
    static @Nullable OversizePayload of(String payload, long limit) {
        if ((long) payload.length() * MAX_BYTES_PER_CHARACTER <= limit) {
            return null;
        }
        long bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= limit ? null : new OversizePayload(bytes, limit);
    }

    /** Says what is wrong, and what to do about it. */
    public String message() {
        return ("The stored payload has %d bytes and was not read: must have at most %d (delayjob.payload.max-read-size);"
                        + " raise that limit if the heap can hold it, or replace or cancel the job.")
                .formatted(bytes, limit);
    }
}
