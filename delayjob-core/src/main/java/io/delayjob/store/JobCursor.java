package io.delayjob.store;

import io.delayjob.job.JobId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Describes the place where a page of jobs ends and the next page begins. {@link JobPage#next()} returns it. Its text
 * form is safe in a URL.
 *
 * @param time due time or end time of the last job that was read. The value is {@code null} if the query is not
 *     {@linkplain JobQuery#inOrderOfTimes() in the order of times}
 * @param id the id of the last job that was read
 */
public record JobCursor(@Nullable Instant time, JobId id) {

    private static final String SEPARATOR = "~";

    /** Returns the place after this id, for queries in the order of ids. */
    public static JobCursor behind(JobId id) {
        return new JobCursor(null, id);
    }

    /**
     * Reads the text of {@link #toString()}.
     *
     * @throws IllegalArgumentException when the text is not the text of a cursor
     */
    public static JobCursor parse(String text) {
        int separator = text.indexOf(SEPARATOR);
        try {
            Instant time = separator < 0 ? null : Instant.ofEpochMilli(Long.parseLong(text.substring(0, separator)));
            return new JobCursor(time, JobId.parse(text.substring(separator + 1)));
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "Invalid cursor '%s': must be the unchanged 'next' of a page.".formatted(text), unreadable);
        }
    }

    @Override
    public String toString() {
        return time == null ? id.toString() : time.toEpochMilli() + SEPARATOR + id;
    }
}
