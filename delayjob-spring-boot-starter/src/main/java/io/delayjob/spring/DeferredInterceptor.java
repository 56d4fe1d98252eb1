package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.expression.AnnotatedElementKey;

/** Schedules calls of deferred methods, unless it is the engine that calls. */
final class DeferredInterceptor implements MethodInterceptor {

    private final Supplier<HandlerReader> reader;
    private final Supplier<DelayJobOperations> operations;
    private final Map<AnnotatedElementKey, Deferral> deferrals = new ConcurrentHashMap<>();

    /** Both are asked at the first call, so that making proxies makes no other bean. */
    DeferredInterceptor(Supplier<HandlerReader> reader, Supplier<DelayJobOperations> operations) {
        this.reader = reader;
        this.operations = operations;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), type);
        if (PassThrough.isOpenFor(method)) {
            return PassThrough.proceed(call);
        }
        deferrals
                .computeIfAbsent(new AnnotatedElementKey(method, type), unread -> deferral(type, method))
                .schedule(operations.get(), call.getArguments());
        return null;
    }

    private Deferral deferral(Class<?> type, Method method) {
        return AnnotatedMethod.of(type).stream()
                .filter(annotated -> annotated.method().equals(method))
                .findFirst()
                .map(reader.get()::deferral)
                .orElseThrow(() -> new IllegalStateException("No @Deferred on " + method));
    }
}
