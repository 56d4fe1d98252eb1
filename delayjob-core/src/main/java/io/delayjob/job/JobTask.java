package io.delayjob.job;

import org.jspecify.annotations.Nullable;

/**
 * What a job is to do: the part of a {@link Job} that no attempt changes. Immutable.
 *
 * @param name the handler's name
 * @param key at most one unfinished job has a given (name, key); {@code null}: no such limit
 * @param payload the arguments as JSON, by parameter name; {@code null} if the handler takes none, if an ended job no
 *     longer keeps it, or if it is {@code oversize}
 * @param oversize why the stored payload was not read; {@code null} if it was, or if there is none
 * @param trace the trace context of the call that scheduled it (W3C traceparent)
 */
public record JobTask(
        String name,
        @Nullable String key,
        @Nullable String payload,
        @Nullable OversizePayload oversize,
        @Nullable String trace) {

    /** A job of this handler without key, payload and trace context. */
    public static JobTask of(String name) {
        return new JobTask(name, null, null, null, null);
    }

    /** The same with this key. */
    public JobTask withKey(@Nullable String newKey) {
        return new JobTask(name, newKey, payload, oversize, trace);
    }

    /** The same with this payload, which was read as a whole. */
    public JobTask withPayload(@Nullable String newPayload) {
        return new JobTask(name, key, newPayload, null, trace);
    }

    /** The same as a store answers it that reads payloads of at most {@code maxPayloadBytes} bytes of UTF-8. */
    JobTask readUpTo(long maxPayloadBytes) {
        OversizePayload tooLong = payload == null ? null : OversizePayload.of(payload, maxPayloadBytes);
        return tooLong == null ? this : new JobTask(name, key, null, tooLong, trace);
    }
}
