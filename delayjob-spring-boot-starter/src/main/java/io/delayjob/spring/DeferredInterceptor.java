package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Schedules a job for each call of a deferred method. */
final class DeferredInterceptor implements MethodInterceptor {

    private final Supplier<HandlerReader> reader;
    private final Supplier<DelayJobOperations> operations;
    private final Map<CalledMethod, Deferral> deferrals = new ConcurrentHashMap<>();

    /** The parameters are suppliers, because the creation of a proxy must not create other beans. */
    DeferredInterceptor(Supplier<HandlerReader> reader, Supplier<DelayJobOperations> operations) {
        this.reader = reader;
        this.operations = operations;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        CalledMethod called = CalledMethod.of(call);
        if (PassThrough.isOpenFor(called)) {
            return PassThrough.proceed(call);
        }
        deferrals.computeIfAbsent(called, this::deferral).schedule(operations.get(), call.getArguments());
        return null;
    }

    private Deferral deferral(CalledMethod called) {
        return AnnotatedMethod.of(called.type()).stream()
                .filter(annotated -> annotated.method().equals(called.method()))
                .findFirst()
                .map(reader.get()::deferral)
                .orElseThrow(() -> new IllegalStateException("No @Deferred on " + called.method()));
    }
}
