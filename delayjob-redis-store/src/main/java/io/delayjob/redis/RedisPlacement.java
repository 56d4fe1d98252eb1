package io.delayjob.redis;

import io.delayjob.job.JobId;
import io.delayjob.job.NewJob;
import io.delayjob.store.JobPlacement;

/**
 * Ten bits of each id tell the slot of the job. The id of a keyed job gets the bits of its key, so that name and key lead
 * to the same slot. All partitions belong to one group, because each of them reaches over all slots. Thread-safe.
 */
final class RedisPlacement implements JobPlacement {

    private final Keyspace keys;

    RedisPlacement(Keyspace keys) {
        this.keys = keys;
    }

    @Override
    public NewJob place(NewJob job) {
        String key = job.key();
        if (key == null || keys.slots() == 1) {
            return job;
        }
        JobId placed = keys.idFor(job.id(), job.name(), key);
        return placed.equals(job.id()) ? job : job.at(placed, job.partition());
    }
}
