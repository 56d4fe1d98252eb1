package io.delayjob.job;

import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Job} that states what to run. Immutable.
 *
 * @param key the key, or {@code null}. Two unfinished jobs never have the same name and the same key
 * @param payload the arguments as JSON, by parameter name. The value is {@code null} if there are none, if the ended
 *     job no longer keeps them, or if the payload is {@code oversize}
 * @param oversize why the stored payload was not read; {@code null} if the payload was read, or if there is no payload
 * @param trace the trace context of the call that scheduled the job (W3C traceparent)
 * @param extras text form of the job's {@link JobExtras}, or {@code null}
 */
public record JobTask(
        String name,
        @Nullable String key,
        @Nullable String payload,
        @Nullable OversizePayload oversize,
        @Nullable String trace,
        @Nullable String extras) {

    /** Creates a task without extras. */
    public JobTask(
            String name,
            @Nullable String key,
            @Nullable String payload,
            @Nullable OversizePayload oversize,
            @Nullable String trace) {
        this(name, key, payload, oversize, trace, null);
    }

    /** Returns the task of this handler without key, payload and trace context. */
    public static JobTask of(String name) {
        return new JobTask(name, null, null, null, null);
    }

    /** Returns the keys that an engine must know before it claims the job, or {@code null}. */
    public @Nullable ClaimKeys keys() {
        return ClaimKeys.of(extras);
    }

    /** Returns a copy with this key. */
    public JobTask withKey(@Nullable String newKey) {
        return new JobTask(name, newKey, payload, oversize, trace, extras);
    }

    /** Returns a copy with this payload. The payload is complete, so {@link #oversize} is {@code null} in the copy. */
    public JobTask withPayload(@Nullable String newPayload) {
        return new JobTask(name, key, newPayload, null, trace, extras);
    }

    /** Returns a copy with these extras in text form. */
    public JobTask withExtras(@Nullable String newExtras) {
        return new JobTask(name, key, payload, oversize, trace, newExtras);
    }

    JobTask readUpTo(long maxPayloadBytes) {
        OversizePayload tooLong = payload == null ? null : OversizePayload.of(payload, maxPayloadBytes);
        return tooLong == null ? this : new JobTask(name, key, null, tooLong, trace, extras);
    }
}
