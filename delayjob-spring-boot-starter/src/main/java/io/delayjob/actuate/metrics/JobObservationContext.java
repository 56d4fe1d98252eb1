package io.delayjob.actuate.metrics;

import io.delayjob.handler.JobContext;
import io.micrometer.observation.Observation;

/** What is known of an attempt while it is observed. */
public final class JobObservationContext extends Observation.Context {

    private final JobContext job;

    JobObservationContext(JobContext job) {
        this.job = job;
    }

    /** The job, as its handler sees it. */
    public JobContext getJob() {
        return job;
    }
}
