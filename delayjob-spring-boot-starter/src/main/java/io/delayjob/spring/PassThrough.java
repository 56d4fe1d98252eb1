package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The body of a deferred handler: lets the engine's own call, and it alone, through the interceptors that are for
 * callers: the one that would schedule it again, and those that would ask who calls.
 *
 * <p>The pass is bound to the thread and the method. It does not hold for calls that the method itself makes of itself:
 * those schedule. It holds again when the method has ended but the engine's call has not: then another interceptor,
 * further out than ours, makes the call again.
 */
final class PassThrough implements JobHandler {

    private static final ThreadLocal<@Nullable Method> PASS = new ThreadLocal<>();

    private final Method method;
    private final JobHandler body;

    PassThrough(Method method, JobHandler body) {
        this.method = method;
        this.body = body;
    }

    @Override
    public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
        PASS.set(method);
        try {
            return body.handle(arguments, job);
        } finally {
            PASS.remove();
        }
    }

    static boolean isOpenFor(CalledMethod called) {
        return called.method().equals(PASS.get());
    }

    /** Goes on with a call for which the pass {@linkplain #isOpenFor is open}; meanwhile it is closed. */
    static @Nullable Object proceed(MethodInvocation call) throws Throwable {
        Method passed = PASS.get();
        PASS.remove();
        try {
            return call.proceed();
        } finally {
            PASS.set(passed);
        }
    }
}
