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
 * Deletes old history. Cancelled schedules have a separate index. Jobs whose handler states a retention time also have
 * a separate index. So these jobs do not delay the deletion of other jobs. Thread-safe.
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
        Purge purge = new Purge(before, limit);
        for (int slot = 0; slot < keys.slots(); slot++) {
            String ended = keys.ended(slot, state);
            purge.run(ended, job -> ended.equals(keys.ended(job)));
        }
        return purge.end();
    }

    int purgeKept(Instant now, int limit) {
        Purge purge = new Purge(now, limit);
        for (int slot = 0; slot < keys.slots(); slot++) {
            purge.run(keys.keptUntil(slot), job -> job.keptUntil() != null);
        }
        return purge.end();
    }

    /**
     * Deletes the old jobs of an index, page by page. Skips rows that cannot be read. If an earlier version has put a
     * job into a wrong index, the job is moved to the right index. Not thread-safe.
     */
    private final class Purge {

        private final Range<Long> old;
        private final int limit;
        private final Halves failures = new Halves();
        private int deleted;

        private int left;

        Purge(Instant before, int limit) {
            this.old = Range.from(Range.Boundary.unbounded(), Range.Boundary.excluding(before.toEpochMilli()));
            this.limit = limit;
        }

        void run(String index, Predicate<Job> belongs) {
            long staying = 0;
            List<JobId> page;
            while (deleted < limit && !(page = page(index, staying)).isEmpty()) {
                left = 0;
                failures.run(page, part -> purge(index, belongs, part));
                staying += page.size() - left;
            }
        }

        private List<JobId> page(String index, long offset) {
            Limit page = Limit.create(offset, limit - deleted);
            return link.ask(DOING, redis -> redis.zrangebyscore(index, old, page)).stream()
                    .map(Keyspace::id)
                    .toList();
        }

        private void purge(String index, Predicate<Job> belongs, List<JobId> ids) {
            Map<JobId, Job> jobs = reader.read(ids);
            List<JobId> strange = new ArrayList<>();
            List<RowWriter.Unit> units = new ArrayList<>();
            for (JobId id : ids) {
                Job job = jobs.get(id);
                if (job != null && job.state().isEnded() && belongs.test(job)) {
                    units.add(RowWriter.Unit.of(RowChange.deleted(job)));
                } else {
                    // If the job was deleted or retried since the index was read, nothing must be changed.
                    strange.add(id);
                }
            }
            for (boolean isDeleted : writer.write(DOING, units)) {
                deleted += isDeleted ? 1 : 0;
                left += isDeleted ? 1 : 0;
            }
            left += writer.refile(DOING, index, strange, jobs);
        }

        int end() {
            failures.end();
            return deleted;
        }
    }
}
