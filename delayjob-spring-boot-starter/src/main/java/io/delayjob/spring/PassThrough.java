package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.lang.reflect.Method;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The body of a deferred handler. Some interceptors of the method act only on calls from the application. One of them
 * schedules a job instead of calling the method. Others check the caller's permission. When the engine itself calls the
 * method, these interceptors do nothing.
 *
 * <p>A pass marks the engine's own call, and is valid for one thread and one method. While the method runs, the pass is
 * not valid. So if the method calls itself through its proxy, that call schedules a job. When the method ends, the pass
 * is valid again for the rest of the engine's call, because an outer interceptor may call the method again.
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
