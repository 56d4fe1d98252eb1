package io.delayjob.redis;

import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Deletes old history. Cancelled schedules and jobs with a time of their own are in separate indexes, so they do not
 * delay deletions. Thread-safe.
 */
final class RedisRetention {

    private static final String DOING = "deleting old jobs";

    private final RedisLink link;
    private final Keyspace keys;
    private final RowReader reader;
    private final RowWriter writer;

    RedisRetention(RedisLink link, Keyspace keys, RowReader reader, RowWriter writer) {
        this.link = link;
        this.keys = keys;
        this.reader = reader;
        this.writer = writer;
    }

    int purge(JobState state, Instant before, int limit) {
        int purged = 0;
        for (int slot = 0; slot < keys.slots() && purged < limit; slot++) {
            String ended = keys.ended(slot, state);
            purged += purge(ended, job -> ended.equals(keys.ended(job)), before, limit - purged);
        }
        return purged;
    }

    /** Deletes finished jobs whose own time is over. */
    int purgeKept(Instant now, int limit) {
        int purged = 0;
        for (int slot = 0; slot < keys.slots() && purged < limit; slot++) {
            purged += purge(keys.keptUntil(slot), job -> job.keptUntil() != null, now, limit - purged);
        }
        return purged;
    }

    /** @param belongs tells whether an ended job belongs to the index */
    private int purge(String set, Predicate<Job> belongs, Instant before, int limit) {
        Range<Long> old = Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(before.toEpochMilli()));
        List<JobId> ids = link.ask(DOING, redis -> redis.zrangebyscore(set, old, Limit.create(0, limit))).stream()
                .map(Keyspace::id)
                .toList();
        Map<JobId, Job> jobs = reader.read(ids);
        List<RowWriter.Unit> units = new ArrayList<>();
        for (Job job : jobs.values()) {
            // A job that was retried in between is unfinished.
            if (job.state().isEnded() && belongs.test(job)) {
                units.add(RowWriter.Unit.of(RowChange.deleted(job)));
            }
        }
        int purged = 0;
        for (boolean deleted : writer.write(DOING, units)) {
            purged += deleted ? 1 : 0;
        }
        return purged;
    }
}
