package io.delayjob.spring;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** Calls a method of a bean. If the bean has a proxy, the call goes through the proxy. Thread-safe. */
final class BeanMethod implements JobHandler {

    private final Supplier<Object> bean;
    private final Method method;
    private final boolean takesContext;
    private final @Nullable KotlinDefaults defaults;

    BeanMethod(Supplier<Object> bean, Method method, boolean takesContext) {
        this.bean = bean;
        this.method = method;
        this.takesContext = takesContext;
        this.defaults = KotlinDefaults.of(method);
    }

    @Override
    public @Nullable Object handle(List<@Nullable Object> arguments, JobContext job) throws Exception {
        Object target = bean.get();
        @Nullable Object[] all = all(arguments, job);
        // The proxy of an interface has another {@code Method} object.
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            return defaults != null && defaults.fill(all) ? defaults.call(target, all) : invocable.invoke(target, all);
        } catch (InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
            throw new AssertionError("This line cannot be reached, because the exception was thrown before", thrown);
        }
    }

    private @Nullable Object[] all(List<@Nullable Object> arguments, JobContext job) {
        @Nullable Object[] all = arguments.toArray(new Object[arguments.size() + (takesContext ? 1 : 0)]);
        if (takesContext) {
            all[all.length - 1] = job;
        }
        return all;
    }
}
