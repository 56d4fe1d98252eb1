package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobEngine;
import io.delayjob.EngineStatus;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Shows jobs and the engine. What changes them is in the web extension, and off until access is unrestricted. */
@Endpoint(id = "delayjobs", defaultAccess = Access.READ_ONLY)
class DelayJobsEndpoint {

    private static final int MAX_ATTEMPTS = 100;

    private final DelayJobEngine engine;
    private final JobStore store;
    private final HandlerRegistry handlers;
    private final EngineClock clock;

    DelayJobsEndpoint(DelayJobEngine engine, JobStore store, HandlerRegistry handlers, EngineClock clock) {
        this.engine = engine;
        this.store = store;
        this.handlers = handlers;
        this.clock = clock;
    }

    @ReadOperation
    SummaryDescriptor summary() {
        return SummaryDescriptor.of(
                store.counts(clock.storeTime()), engine.operations().paused(), engine.status());
    }

    JobsDescriptor jobs(JobQuery query, boolean showsPayload) {
        return JobsDescriptor.of(engine.operations().find(query), showsPayload);
    }

    @Nullable
    JobDetailsDescriptor job(JobId id, boolean showsPayload) {
        Job job = engine.operations().find(id).orElse(null);
        return job == null ? null : JobDetailsDescriptor.of(job, store.attempts(id, MAX_ATTEMPTS), showsPayload);
    }

    HandlersDescriptor handlers() {
        JobQuery due = JobQuery.state(JobState.READY).limit(JobQuery.MAX_LIMIT);
        return HandlersDescriptor.of(
                handlers, engine.operations().paused(), engine.operations().find(due));
    }

    WheelDescriptor wheel() {
        return WheelDescriptor.of(engine.status());
    }

    InstancesDescriptor instances() {
        EngineStatus status = engine.status();
        return InstancesDescriptor.of(store.instances().list(), status.number());
    }
}
