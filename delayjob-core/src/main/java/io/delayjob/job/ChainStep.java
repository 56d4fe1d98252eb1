package io.delayjob.job;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job of a chain that has no row yet. Its row is written when the job before it ends. Until then, this job
 * is a line in the {@link JobExtras} of an earlier job. Immutable.
 *
 * @param id the id that the row of this job will have
 * @param when states of the previous job. If the previous job ends in one of these states, the row of this job is
 *     written
 * @param queue the queue of this job's row
 * @param name the handler's name
 * @param resultName name of the argument that receives the result of the previous job; {@code null} if no argument
 *     receives it
 * @param payload the other arguments of the job as JSON, by parameter name; {@code null} for none
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

    /** Maximum total length of the lines of all jobs that follow the first job, in bytes of UTF-8. */
    public static final int MAX_BYTES = 32_768;

    /** Separates the parts of a line. Names of handlers and queues never contain it. */
    private static final String SEPARATOR = "\t";

    /** The condition for the next job of a chain: how the job before it must have ended. */
    public enum When {
        /** The job has ended as {@link JobState#FINISHED}. */
        FINISHED,

        /** The job has ended as {@link JobState#FINISHED} or {@link JobState#FAILED}. */
        FINISHED_OR_FAILED
    }

    /** Tells whether the job of this step runs after the job before it has ended in this state. */
    public boolean follows(JobState ended) {
        return ended == JobState.FINISHED || ended == JobState.FAILED && when == When.FINISHED_OR_FAILED;
    }

    /** Returns a copy of this job with this payload. */
    public ChainStep withPayload(@Nullable String newPayload) {
        return new ChainStep(id, when, queue, name, resultName, newPayload);
    }

    /**
     * @param place position of this job in the chain. The lines are ordered by this position
     */
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

    /** Reads the value of a line. Returns {@code null} if this version cannot read the line. */
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
