package io.delayjob.rest;

import io.delayjob.job.JobId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header Idempotency-Key. Its UUID becomes the id of the job, so a repeated request finds the job. */
final class IdempotencyKey {

    static final String HEADER = "Idempotency-Key";

    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private IdempotencyKey() {}

    /** The UUID may be in double quotes, as in a structured field. */
    static @Nullable JobId read(@Nullable String header) {
        if (header == null) {
            return null;
        }
        boolean quoted = header.length() > 1 && header.startsWith("\"") && header.endsWith("\"");
        String text = quoted ? header.substring(1, header.length() - 1) : header;
        if (!UUID.matcher(text).matches()) {
            throw Problem.INVALID_KEY.of(
                    "Invalid Idempotency-Key '%s': must be a UUID, because it becomes the job's id.".formatted(text));
        }
        return JobId.parse(text);
    }
}
