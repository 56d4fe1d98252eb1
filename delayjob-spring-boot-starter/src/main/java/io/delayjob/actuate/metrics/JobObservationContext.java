package io.delayjob.actuate.metrics;

import io.delayjob.handler.JobContext;
import io.micrometer.observation.Observation;

/** Context of the observation of an attempt. */
public final class JobObservationContext extends Observation.Context {

    private final JobContext job;

    JobObservationContext(JobContext job) {
        this.job = job;
    }

    /** Returns the job as its handler sees it. */
    public JobContext getJob() {
        return job;
    }
}
