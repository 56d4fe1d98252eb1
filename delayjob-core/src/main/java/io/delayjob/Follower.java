package io.delayjob;

import io.delayjob.job.ChainStep;
import io.delayjob.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A job that follows another job in a chain, before it has an id. Immutable.
 *
 * @param draft name, queue and payload of the job
 * @param resultName name of the argument that receives the result of the previous job; {@code null} if no argument
 *     receives it
 */
record Follower(Draft draft, @Nullable String resultName, ChainStep.When when) {

    ChainStep toStep(JobId id) {
        return new ChainStep(id, when, draft.queue(), draft.name(), resultName, draft.payload());
    }
}
