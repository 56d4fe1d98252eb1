package io.delayjob;

import io.delayjob.job.ChainStep;
import io.delayjob.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A job that follows another job in a chain, before it has an id. Immutable.
 *
 * @param resultName the argument that receives the result of the previous job, or {@code null}
 */
record Follower(Draft draft, @Nullable String resultName, ChainStep.When when) {

    ChainStep toStep(JobId id) {
        return new ChainStep(id, when, draft.queue(), draft.name(), resultName, draft.payload());
    }
}
