package io.delayjob;

import io.delayjob.job.Paused;
import io.delayjob.store.DueSink;
import java.util.function.Consumer;

/**
 * The calls of an application reach the engine of the same process through these, whether it runs or not.
 *
 * @param nearDue takes every row that is left waiting, once its transaction has committed; keeps those due soon
 * @param look has the engine hold these pauses, and look for other pauses and for jobs to cancel
 * @param partitions proposes the partition of a new job
 */
record EngineLinks(DueSink nearDue, Consumer<Paused> look, PartitionProposal partitions) {}
