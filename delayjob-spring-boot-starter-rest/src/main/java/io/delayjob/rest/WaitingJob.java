package io.delayjob.rest;

import io.delayjob.job.JobId;

record WaitingJob(String id) implements ApiBody {

    static WaitingJob of(JobId id) {
        return new WaitingJob(id.toString());
    }
}
