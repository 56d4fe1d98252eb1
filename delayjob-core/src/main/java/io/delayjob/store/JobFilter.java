package io.delayjob.store;

import io.delayjob.job.Failure;
import io.delayjob.job.Job;
import io.delayjob.job.JobPlan;
import io.delayjob.job.JobState;
import io.delayjob.schedule.WholeMillis;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Contains the conditions of a query for jobs; {@code null} means no condition. Immutable.
 *
 * @param state {@link JobState#DELAYED} means not yet due, {@link JobState#READY} means due, and {@link
 *     JobState#AWAITING} means waiting for an answer from outside
 * @param errorType the {@linkplain Failure#type() type} of the failure that ended the job
 * @param payload a text that the stored payload contains. If a payload is too long to be read, a store may leave out
 *     the job
 * @param group the name of the group
 * @param from lower bound, inclusive. It applies to the due time of unfinished jobs, and to the end of ended jobs
 * @param until upper bound, exclusive. It applies to the due time of unfinished jobs, and to the end of ended jobs
 */
public record JobFilter(
        @Nullable JobState state,
        @Nullable String name,
        @Nullable String key,
        @Nullable String queue,
        @Nullable String errorType,
        @Nullable String label,
        @Nullable String payload,
        @Nullable String group,
        @Nullable Instant from,
        @Nullable Instant until) {

    /** Matches every job. */
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null, null, null, null, null);

    /** Tells whether name and key are both given. If so, an index finds the jobs. */
    public boolean isOfOneKey() {
        return name != null && key != null;
    }

    /** Tells whether a job meets the conditions at the time {@code now}. */
    public boolean matches(Job job, Instant now) {
        Failure failure = job.failure();
        Instant time = job.endedAt() == null ? job.dueAt() : job.endedAt();
        return (state == null || state == job.stateAt(now))
                && (name == null || name.equals(job.name()))
                && (key == null || key.equals(job.key()))
                && (queue == null || queue.equals(job.partition().queue()))
                && (errorType == null || failure != null && errorType.equals(failure.type()))
                && (label == null || job.extras().hasLabel(label))
                && (payload == null || job.payload() != null && job.payload().contains(payload))
                && (group == null || group.equals(job.extras().groupName()))
                && (from == null || !time.isBefore(from))
                && (until == null || time.isBefore(until));
    }

    /**
     * Returns an inclusive lower bound for the times of matching jobs, in milliseconds since the epoch. The time of an
     * unfinished job is its due time. The time of an ended job is its end.
     */
    public long fromMillis(Instant now) {
        long least = from == null ? Long.MIN_VALUE : WholeMillis.roundUp(from).toEpochMilli();
        return state == JobState.DELAYED ? Math.max(least, now.toEpochMilli() + 1) : least;
    }

    /**
     * Returns an inclusive upper bound for the times of matching jobs, in milliseconds since the epoch. The time of an
     * unfinished job is its due time. The time of an ended job is its end.
     */
    public long untilMillis(Instant now) {
        long greatest =
                until == null ? Long.MAX_VALUE : WholeMillis.roundUp(until).toEpochMilli() - 1;
        if (state == JobState.READY) {
            return Math.min(greatest, now.toEpochMilli());
        }
        return state == JobState.RUNNING
                ? Math.min(greatest, now.plus(JobPlan.LONGEST_CLAIM_LEAD).toEpochMilli())
                : greatest;
    }

    /** Returns the conditions as a text for logs. If there is no condition, the text is {@code any}. */
    @Override
    public String toString() {
        Map<String, @Nullable Object> conditions = new LinkedHashMap<>();
        conditions.put("state", state);
        conditions.put("name", name);
        conditions.put("key", key);
        conditions.put("queue", queue);
        conditions.put("error", errorType);
        conditions.put("label", label);
        conditions.put("payload", payload);
        conditions.put("group", group);
        conditions.put("from", from);
        conditions.put("until", until);
        conditions.values().removeIf(Objects::isNull);
        return conditions.isEmpty()
                ? "any"
                : conditions.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
    }
}
