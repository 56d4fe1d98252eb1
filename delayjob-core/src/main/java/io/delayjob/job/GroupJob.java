package io.delayjob.job;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job that waits for a group. The job gets its own row when it becomes due. Until then, the job is a text in the row
 * of the group. Immutable.
 *
 * @param id the id that the row of this job will have
 * @param task the work of the job; the job has no key
 * @param retry text of the job's own {@link io.delayjob.schedule.RetryPolicy}; {@code null} if the handler's policy
 *     applies
 */
public record GroupJob(
        JobId id,
        Partition partition,
        JobTask task,
        @Nullable String retry) {

    /** Ids, queues, names, policies and trace contexts never contain this separator. */
    private static final String SEPARATOR = "\t";

    private static final int PARTS = 8;

    /** Returns the text for the row of the group. */
    public String toText() {
        return String.join(
                SEPARATOR,
                id.toString(),
                partition.queue(),
                Integer.toString(partition.index()),
                task.name(),
                orEmpty(retry),
                orEmpty(task.trace()),
                ExtraText.escaped(orEmpty(task.extras())),
                orEmpty(task.payload()));
    }

    /** Reads the text that a row contains; returns {@code null} for {@code null}. */
    public static @Nullable GroupJob parse(@Nullable String text) {
        if (text == null) {
            return null;
        }
        List<String> parts = Arrays.asList(text.split(SEPARATOR, PARTS));
        JobTask task = new JobTask(
                parts.get(3),
                null,
                orNull(parts.get(7)),
                null,
                orNull(parts.get(5)),
                orNull(ExtraText.unescaped(parts.get(6))));
        Partition partition = new Partition(parts.get(1), Integer.parseInt(parts.get(2)));
        return new GroupJob(JobId.parse(parts.get(0)), partition, task, orNull(parts.get(4)));
    }

    /** Returns the job as a new row that is due now. */
    public NewJob toNewJob(Instant now, long token) {
        return new NewJob(id, partition, task, JobPlan.once(now, now).withRetry(retry), OnExisting.KEEP, token);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
