package io.delayjob;

import io.delayjob.handler.JobContext;
import java.io.Serializable;

/**
 * A reference to a handler method. The nested types differ in the parameters of the method. Therefore a lambda body is
 * refused. Write a method reference such as {@code UnpaidOrders::cancel}.
 *
 * <p>The types with a {@link JobContext} are subtypes of the types with a payload in its place. So the compiler can
 * choose the right overload of {@code schedule}.
 */
public sealed interface MethodReference extends Serializable {

    /** {@code bean.method()}. */
    @FunctionalInterface
    non-sealed interface NoPayload<B> extends MethodReference {
        void call(B bean) throws Exception;
    }

    /** {@code bean.method(payload)}. */
    @FunctionalInterface
    non-sealed interface OnePayload<B, P> extends MethodReference {
        void call(B bean, P payload) throws Exception;
    }

    /** {@code bean.method(context)}. */
    @FunctionalInterface
    interface ContextOnly<B> extends OnePayload<B, JobContext> {}

    /** {@code bean.method(first, second)}. */
    @FunctionalInterface
    non-sealed interface TwoPayloads<B, P, Q> extends MethodReference {
        void call(B bean, P first, Q second) throws Exception;
    }

    /** {@code bean.method(payload, context)}. */
    @FunctionalInterface
    interface PayloadAndContext<B, P> extends TwoPayloads<B, P, JobContext> {}

    /** {@code bean.method(first, second, context)}. */
    @FunctionalInterface
    non-sealed interface TwoPayloadsAndContext<B, P, Q> extends MethodReference {
        void call(B bean, P first, Q second, JobContext context) throws Exception;
    }
}
