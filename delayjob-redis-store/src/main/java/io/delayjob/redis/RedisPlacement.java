package io.delayjob.redis;

import io.delayjob.job.NewJob;
import io.delayjob.store.JobPlacement;

/**
 * Places jobs in slots. Ten bits of each job's id contain the number of the job's slot. If a job has a key, its name
 * and key determine these bits. Thread-safe.
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
        return job.at(keys.idFor(job.id(), job.name(), key), job.partition());
    }
}
