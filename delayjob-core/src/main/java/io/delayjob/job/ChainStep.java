package io.delayjob.job;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job of a chain, before the job has a row. Its row is written when the previous job ends. Until then, this job is a
 * line in the {@link JobExtras} of an earlier job. Immutable.
 *
 * @param id the id that the row of this job will have
 * @param when the way in which the previous job must end, so that this job runs
 * @param resultName the argument that receives the result of the previous job; {@code null} for none
 * @param payload the other arguments as JSON, by parameter name; {@code null} for none
 */
public record ChainStep(
        JobId id,
        When when,
        String queue,
        String name,
        @Nullable String resultName,
        @Nullable String payload) {

    /** Maximum number of jobs that follow the first job of a chain. */
    public static final int MAX = 20;

    /** Maximum total length of all lines of one chain, in bytes of UTF-8. */
    public static final int MAX_BYTES = 32_768;

    /** Separator in a line. Names of handlers and queues never contain it. */
    private static final String SEPARATOR = "\t";

    /** How the previous job of a chain must end, so that the next job runs. */
    public enum When {
        /** The previous job has ended as {@link JobState#FINISHED}. */
        FINISHED,

        /** The previous job has ended as {@link JobState#FINISHED} or {@link JobState#FAILED}. */
        FINISHED_OR_FAILED
    }

    /** Tells whether this job runs after the previous job has ended in this state. */
    public boolean follows(JobState ended) {
        return ended == JobState.FINISHED || ended == JobState.FAILED && when == When.FINISHED_OR_FAILED;
    }

    /** Returns a copy of this job with this payload. */
    public ChainStep withPayload(@Nullable String newPayload) {
        return new ChainStep(id, when, queue, name, resultName, newPayload);
    }

    String toText(int place) {
        String text = String.join(
                SEPARATOR,
                "%02d".formatted(place),
                id.toString(),
                when.name(),
                queue,
                name,
                resultName == null ? "" : resultName);
        return payload == null ? text : text + SEPARATOR + payload;
    }

    /** Returns {@code null} if this version cannot read the line. */
    static @Nullable ChainStep parse(String text) {
        List<String> parts = Arrays.asList(text.split(SEPARATOR, 7));
        if (parts.size() < 6) {
            return null;
        }
        try {
            return new ChainStep(
                    JobId.parse(parts.get(1)),
                    When.valueOf(parts.get(2)),
                    parts.get(3),
                    parts.get(4),
                    parts.get(5).isEmpty() ? null : parts.get(5),
                    parts.size() == 7 ? parts.get(6) : null);
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }
}
