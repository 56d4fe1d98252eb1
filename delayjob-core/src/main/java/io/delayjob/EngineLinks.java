package io.delayjob;

import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import io.delayjob.job.Paused;
import io.delayjob.store.DueSink;
import io.delayjob.store.Vitals;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Functions of the engine, which may be called even while the engine does not run.
 *
 * @param nearDue receives every waiting row after its transaction has committed
 * @param look tells the engine about new pauses, and makes the engine read all pauses and cancellations
 * @param groupNamed tells the engine that a call has named a group
 * @param progress returns the progress that the job's attempt on this instance has reported
 * @param log returns the lines that the job's attempt on this instance has logged
 */
record EngineLinks(
        DueSink nearDue,
        Consumer<Paused> look,
        PartitionProposal partitions,
        Runnable groupNamed,
        Function<Job, Optional<Vitals.Progress>> progress,
        Function<Job, Optional<JobLog>> log) {}
