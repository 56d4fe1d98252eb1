package io.delayjob;

import io.delayjob.job.ChainStep.When;

/**
 * A job, or a chain of jobs, that another job may follow. {@code then} adds a job that runs once the job before it has
 * finished:
 *
 * <pre>{@code
 * jobs.schedule(Imports::load).with(file).then(Imports::check).then(Mails::send).with(customer).now();
 * }</pre>
 *
 * <p>A chain is a list. One transaction writes the end of a job and the row of the next job, so each of these rows is
 * written exactly once. The next job is due at once, in the queue of its handler. A job that fails for good keeps the
 * rest of its chain, and {@link DelayJobOperations#retry(io.delayjob.job.JobId)} continues it. A cancelled or expired
 * job ends its chain.
 *
 * <p>If the call leaves out the last argument of a handler, the handler gets the {@linkplain
 * io.delayjob.handler.Next#done result} of the previous job for it. Without a result this argument is missing, so its
 * parameter should be {@code @Nullable} or an {@code Optional}. Otherwise the job fails.
 *
 * <p>A job that follows has the labels of the first job, and neither a key nor an expiry of its own. {@code thenAlways}
 * adds a job that also runs if the job before it has failed for good. Only the end of that job counts. If an earlier
 * job of the chain fails, the added job does not run.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
@CheckReturnValue
public interface Chainable {

    /**
     * Adds the job of this handler.
     *
     * @param handler a variable of the type {@code MethodReference}. If the call contains the method reference itself,
     *     the compiler chooses another overload, which does the same
     * @throws IllegalArgumentException when the chain is too long: at most {@value io.delayjob.job.ChainStep#MAX} jobs
     *     may follow the first
     */
    <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, When when);

    /**
     * Adds the job of this handler name. If the handler belongs to another application, it gets only the arguments of
     * the call, and the default queue.
     *
     * @throws IllegalArgumentException when the chain is too long, as above
     */
    ChainSpec.Named then(String name, When when);

    /** Adds the job of the handler {@code bean.method()}. */
    default <B> ChainSpec then(MethodReference.NoPayload<B> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method(context)}. */
    default <B> ChainSpec then(MethodReference.ContextOnly<B> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method(payload)}. */
    default <B, P> ChainSpec.WithPayload<P> then(MethodReference.OnePayload<B, P> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method(payload, context)}. */
    default <B, P> ChainSpec.WithPayload<P> then(MethodReference.PayloadAndContext<B, P> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method(first, second)}. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> then(MethodReference.TwoPayloads<B, P, Q> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method(first, second, context)}. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> then(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return then(handler, When.FINISHED);
    }

    /** Adds the job of this handler name; see {@link #then(String, When)}. */
    default ChainSpec.Named then(String name) {
        return then(name, When.FINISHED);
    }

    /** Adds the job of the handler {@code bean.method()}, even if the job before it fails. */
    default <B> ChainSpec thenAlways(MethodReference.NoPayload<B> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of the handler {@code bean.method(context)}, even if the job before it fails. */
    default <B> ChainSpec thenAlways(MethodReference.ContextOnly<B> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of the handler {@code bean.method(payload)}, even if the job before it fails. */
    default <B, P> ChainSpec.WithPayload<P> thenAlways(MethodReference.OnePayload<B, P> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of the handler {@code bean.method(payload, context)}, even if the job before it fails. */
    default <B, P> ChainSpec.WithPayload<P> thenAlways(MethodReference.PayloadAndContext<B, P> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of the handler {@code bean.method(first, second)}, even if the job before it fails. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> thenAlways(MethodReference.TwoPayloads<B, P, Q> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of the handler {@code bean.method(first, second, context)}, even if the job before it fails. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> thenAlways(
            MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of this handler name, even if the job before it fails; see {@link #then(String, When)}. */
    default ChainSpec.Named thenAlways(String name) {
        return then(name, When.FINISHED_OR_FAILED);
    }
}
