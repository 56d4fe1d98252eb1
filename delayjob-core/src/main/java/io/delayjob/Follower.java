package io.delayjob;

import io.delayjob.job.ChainStep;
import io.delayjob.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A job of a chain that follows another job, before its id is known. Immutable.
 *
 * @param draft its name, queue and payload
 * @param resultName the name of the argument that takes the result of the job before it; {@code null} for none
 */
record Follower(Draft draft, @Nullable String resultName, ChainStep.When when) {

    ChainStep toStep(JobId id) {
        return new ChainStep(id, when, draft.queue(), draft.name(), resultName, draft.payload());
    }
}
