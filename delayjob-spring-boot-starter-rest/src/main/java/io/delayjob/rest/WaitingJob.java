package io.delayjob.rest;

import io.delayjob.job.JobId;

/**
 * The response to a request that lets a job wait for a group.
 *
 * @param id the id that the job will have
 */
record WaitingJob(String id) implements ApiBody {

    static WaitingJob of(JobId id) {
        return new WaitingJob(id.toString());
    }
}
