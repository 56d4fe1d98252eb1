package io.delayjob.jdbc;

import io.delayjob.job.NewJob;
import java.util.Collection;

/** Turns new jobs into the parameters of a statement. Thread-safe. */
final class NewJobParameters {

    private final Queues queues;

    NewJobParameters(Queues queues) {
        this.queues = queues;
    }

    static Parameters keys(Collection<NewJob> jobs) {
        return Parameters.none().texts("name", jobs, NewJob::name).texts("key", jobs, NewJob::key);
    }

    Parameters of(Collection<NewJob> jobs) {
        return keys(jobs)
                .uuids("id", jobs, job -> job.id().value())
                .ints("partition", jobs, job -> queues.idOf(job.partition()))
                .texts("payload", jobs, NewJob::payload)
                .texts("schedule", jobs, NewJob::schedule)
                .texts("retry", jobs, NewJob::retry)
                .texts("trace", jobs, NewJob::trace)
                .texts("extras", jobs, NewJob::extras)
                .longs("token", jobs, NewJob::token)
                .longs("scheduledAt", jobs, job -> job.scheduledAt().toEpochMilli())
                .longs("plannedAt", jobs, job -> job.plannedAt().toEpochMilli())
                .longs("dueAt", jobs, job -> job.dueAt().toEpochMilli());
    }
}
