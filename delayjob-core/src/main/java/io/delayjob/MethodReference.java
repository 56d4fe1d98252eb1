package io.delayjob;

import io.delayjob.handler.JobContext;
import java.io.Serializable;

/**
 * A reference to a handler method, such as {@code UnpaidOrders::cancel}. Each nested type is for methods with certain
 * parameters. The library finds out which method is meant, and never calls the reference itself. A lambda with a body
 * is refused, because the body names no method.
 *
 * <p>{@link ContextOnly} is a subtype of {@link OnePayload}, and {@link PayloadAndContext} is a subtype of
 * {@link TwoPayloads}. So, if two overloads of {@code schedule} fit, the compiler chooses the one for the
 * {@link JobContext}.
 */
public sealed interface MethodReference extends Serializable {

    /** Refers to a method that is called as {@code bean.method()}. */
    @FunctionalInterface
    non-sealed interface NoPayload<B> extends MethodReference {
        void call(B bean) throws Exception;
    }

    /** Refers to a method that is called as {@code bean.method(payload)}. */
    @FunctionalInterface
    non-sealed interface OnePayload<B, P> extends MethodReference {
        void call(B bean, P payload) throws Exception;
    }

    /** Refers to a method that is called as {@code bean.method(context)}. */
    @FunctionalInterface
    interface ContextOnly<B> extends OnePayload<B, JobContext> {}

    /** Refers to a method that is called as {@code bean.method(first, second)}. */
    @FunctionalInterface
    non-sealed interface TwoPayloads<B, P, Q> extends MethodReference {
        void call(B bean, P first, Q second) throws Exception;
    }

    /** Refers to a method that is called as {@code bean.method(payload, context)}. */
    @FunctionalInterface
    interface PayloadAndContext<B, P> extends TwoPayloads<B, P, JobContext> {}

    /** Refers to a method that is called as {@code bean.method(first, second, context)}. */
    @FunctionalInterface
    non-sealed interface TwoPayloadsAndContext<B, P, Q> extends MethodReference {
        void call(B bean, P first, Q second, JobContext context) throws Exception;
    }
}
