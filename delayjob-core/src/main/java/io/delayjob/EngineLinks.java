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
 * Contains the functions of the engine that {@link JobOperations} and its helpers use. These functions may be called
 * even while the engine does not run.
 *
 * @param nearDue receives every waiting row after its transaction has committed, and keeps the rows that are due soon
 * @param look tells the engine of new pauses, and makes it read all pauses and cancellations from the store
 * @param partitions proposes the partition of a new job
 * @param groupNamed tells the engine that a call has named a group, so that the engine watches groups
 * @param progress takes a job, and returns the progress that its attempt on this instance has reported
 * @param log takes a job, and returns the lines that its attempt on this instance has logged
 */
record EngineLinks(
        DueSink nearDue,
        Consumer<Paused> look,
        PartitionProposal partitions,
        Runnable groupNamed,
        Function<Job, Optional<Vitals.Progress>> progress,
        Function<Job, Optional<JobLog>> log) {}
