package io.delayjob;

import io.delayjob.job.ChainStep.When;

/**
 * A job or a chain of jobs, after which another job can follow. The method {@code then} adds a job that runs after the
 * previous job has finished:
 *
 * <pre>{@code
 * jobs.schedule(Imports::load).with(file).then(Imports::check).then(Mails::send).with(customer).now();
 * }</pre>
 *
 * <p>The next job is written exactly once, in the transaction that ends the previous job. The next job is due
 * immediately, in the queue of its handler. If a job fails for good, its row keeps the rest of the chain, and
 * {@link DelayJobOperations#retry(io.delayjob.job.JobId)} continues the chain. If a job is cancelled or expires, the
 * chain ends.
 *
 * <p>If the call leaves out the last argument of a handler, the argument is the
 * {@linkplain io.delayjob.handler.Next#done result} of the previous job. If the previous job has no result, the job
 * fails, unless the parameter is {@code @Nullable} or an {@code Optional}.
 *
 * <p>Each later job has the labels of the first job, no key, and no expiry of its own. The method {@code thenAlways}
 * adds a job that also runs if the job directly before it has failed for good.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
@CheckReturnValue
public interface Chainable {

    /**
     * Adds a job of this handler to the chain.
     *
     * @param handler a variable of the type {@code MethodReference}. Other overloads take a method reference such as
     *     {@code Imports::check}, and have the same effect
     * @throws IllegalArgumentException if more than {@value io.delayjob.job.ChainStep#MAX} jobs follow the first
     */
    <P, Q> ChainSpec.Step<P, Q> then(MethodReference handler, When when);

    /**
     * Adds a job of the handler with this name to the chain. If this application does not have the handler, the job
     * goes to the default queue. Such a job does not get the result of the previous job.
     *
     * @throws IllegalArgumentException if more than {@value io.delayjob.job.ChainStep#MAX} jobs follow the first
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

    /** Adds a job of the handler with this name; see {@link #then(String, When)}. */
    default ChainSpec.Named then(String name) {
        return then(name, When.FINISHED);
    }

    /** Adds the job of {@code bean.method()}, which also runs if the job before it fails. */
    default <B> ChainSpec thenAlways(MethodReference.NoPayload<B> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of {@code bean.method(context)}, which also runs if the job before it fails. */
    default <B> ChainSpec thenAlways(MethodReference.ContextOnly<B> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of {@code bean.method(payload)}, which also runs if the job before it fails. */
    default <B, P> ChainSpec.WithPayload<P> thenAlways(MethodReference.OnePayload<B, P> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of {@code bean.method(payload, context)}, which also runs if the job before it fails. */
    default <B, P> ChainSpec.WithPayload<P> thenAlways(MethodReference.PayloadAndContext<B, P> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of {@code bean.method(first, second)}, which also runs if the job before it fails. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> thenAlways(MethodReference.TwoPayloads<B, P, Q> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /** Adds the job of {@code bean.method(first, second, context)}, which also runs if the job before it fails. */
    default <B, P, Q> ChainSpec.WithTwoPayloads<P, Q> thenAlways(
            MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return then(handler, When.FINISHED_OR_FAILED);
    }

    /**
     * Adds a job of the handler with this name; see {@link #then(String, When)}. The new job also runs if the job
     * before it fails.
     */
    default ChainSpec.Named thenAlways(String name) {
        return then(name, When.FINISHED_OR_FAILED);
    }
}
