package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs the method of a deferred handler. Interceptors that schedule a job or check permissions do nothing when the
 * engine calls the method.
 *
 * <p>A pass shows the interceptors that the engine calls the method. The pass is valid for one thread and one method.
 * While the method runs, the pass is closed. So a call from the method to its own proxy schedules a job. When the
 * method has returned, the pass is open again, because an outer interceptor may call the method again.
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

    /** Call this method only while the pass {@linkplain #isOpenFor is open}. */
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
