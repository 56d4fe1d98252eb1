package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobTask;
import org.jspecify.annotations.Nullable;

/** Tells how the row of a job may be read and written, before the row exists. */
final class RowLimits {

    /** Maximum length in characters of a short row's payload, and also of its extras. */
    private static final int MAX_SHORT = 500;

    /** A text with at most this number of characters always fits into a row: a character takes at most three bytes. */
    private static final int MAX_PLAIN = 10_000;

    private RowLimits() {}

    /**
     * A server may read a whole short row. If a row is longer, a script compares and returns only the beginning of the
     * row.
     */
    static boolean isShort(Job job) {
        String extras = job.task().extras();
        return !hasLongPayload(job.task()) && (extras == null || extras.length() <= MAX_SHORT) && job.failure() == null;
    }

    static boolean hasLongPayload(JobTask task) {
        return task.oversize() != null
                || task.payload() != null && task.payload().length() > MAX_SHORT;
    }

    /** If the result is {@code false}, {@link RowFormat#row} may refuse this job. */
    static boolean isSurelyWritable(Job job) {
        return isShort(job)
                && isPlain(job.partition().queue())
                && isPlain(job.name())
                && isPlain(job.key())
                && isPlain(job.schedule())
                && isPlain(job.retry())
                && isPlain(job.trace())
                && isPlain(job.task().extras())
                && isPlain(job.payload());
    }

    private static boolean isPlain(@Nullable String text) {
        if (text == null) {
            return true;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return false;
            }
        }
        return text.length() <= MAX_PLAIN;
    }
}
