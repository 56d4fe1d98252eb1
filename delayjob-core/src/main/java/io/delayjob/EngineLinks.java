package io.delayjob;

import io.delayjob.job.Paused;
import io.delayjob.store.DueSink;
import java.util.function.Consumer;

/**
 * Links from an application's calls to the engine of the same process. They work even if the engine does not run.
 *
 * @param nearDue takes every row that is left waiting, once its transaction has committed; keeps the rows that
 *     are due soon
 * @param look tells the engine of these pauses, and lets it read other pauses and the jobs to cancel
 * @param partitions proposes the partition of a new job
 */
record EngineLinks(DueSink nearDue, Consumer<Paused> look, PartitionProposal partitions) {}
