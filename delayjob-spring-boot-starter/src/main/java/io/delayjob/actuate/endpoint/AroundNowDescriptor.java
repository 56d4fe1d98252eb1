package io.delayjob.actuate.endpoint;

import io.delayjob.job.JobState;
import io.delayjob.store.JobOrder;
import io.delayjob.store.JobQuery;
import java.time.Instant;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Jobs around the present moment, without their payloads.
 *
 * @param at time of the read, in store time
 */
record AroundNowDescriptor(
        Instant at, JobsDescriptor running, JobsDescriptor ready, JobsDescriptor next, JobsDescriptor ended)
        implements OperationResponseBody {

    private static final JobQuery RUNNING =
            JobQuery.state(JobState.RUNNING).order(JobOrder.DUE).limit(8);

    private static final JobQuery READY =
            JobQuery.state(JobState.READY).order(JobOrder.DUE).limit(8);

    private static final JobQuery NEXT =
            JobQuery.state(JobState.DELAYED).order(JobOrder.DUE).limit(12);

    private static final JobQuery ENDED = JobQuery.all().order(JobOrder.ENDED).limit(12);

    static AroundNowDescriptor of(Instant at, Function<JobQuery, JobsDescriptor> find) {
        return new AroundNowDescriptor(at, find.apply(RUNNING), find.apply(READY), find.apply(NEXT), find.apply(ENDED));
    }
}
