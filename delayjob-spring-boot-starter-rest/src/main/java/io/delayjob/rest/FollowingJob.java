package io.delayjob.rest;

import io.delayjob.ChainSpec;
import io.delayjob.Chainable;
import io.delayjob.job.ChainStep.When;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job that follows another job of a request.
 *
 * @param arguments the arguments by parameter name. If only the last argument is missing, it is the result of the
 *     previous job
 * @param always whether this job also follows a job that has failed for good; false by default
 */
record FollowingJob(
        @Nullable String name,
        @Nullable Map<String, @Nullable Object> arguments,
        @Nullable Boolean always) {

    /** @param exposed returns the given name if callers may use it, and refuses any other name */
    static ChainSpec chain(Chainable first, List<@Nullable FollowingJob> followers, UnaryOperator<String> exposed) {
        ChainSpec chain = after(first, followers.get(0), exposed);
        for (FollowingJob next : followers.subList(1, followers.size())) {
            chain = after(chain, next, exposed);
        }
        return chain;
    }

    private static ChainSpec after(Chainable before, @Nullable FollowingJob next, UnaryOperator<String> exposed) {
        if (next == null || next.name == null) {
            throw Problem.INVALID_JOB.of(
                    "Missing 'name' in 'then': each job must have the name of a handler or target; add it.");
        }
        ChainSpec.Named named = before.then(
                exposed.apply(next.name), Boolean.TRUE.equals(next.always) ? When.FINISHED_OR_FAILED : When.FINISHED);
        return next.arguments == null ? named : named.with(next.arguments);
    }
}
