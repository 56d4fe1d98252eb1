package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The body of a deferred handler. Some interceptors of the method are meant only for calls from the application. One of
 * them schedules a job instead of calling the method, and others check the caller's permission. When the engine itself
 * calls the method, these interceptors do nothing.
 *
 * <p>A pass marks the engine's own call, and is valid for one thread and one method. While the method runs, the pass is
 * closed, so if the method calls itself through its proxy, that call schedules a job. After the method has ended, the
 * pass is open again until the engine's call ends, because an outer interceptor may repeat the call.
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

    /** May be called only while the pass {@linkplain #isOpenFor is open}. The pass is closed during the call. */
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
