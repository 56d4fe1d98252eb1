package io.delayjob.actuate.metrics;

import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long calls to a store take, in the meter {@code delayjob.store}. Methods that are declared in {@link
 * JobStore} itself, such as {@link JobStore#capabilities()}, are not measured.
 */
final class MeasuredStore implements InvocationHandler {

    private static final String NO_EXCEPTION = "none";

    private final Object store;
    private final MeterRegistry registry;
    private final MeterProvider<Timer> timers;

    private MeasuredStore(Object store, MeterRegistry registry, Tags common) {
        this.store = store;
        this.registry = registry;
        this.timers = Timer.builder("delayjob.store")
                .description("Calls of the job store")
                .tags(common)
                .withRegistry(registry);
    }

    static JobStore of(JobStore store, MeterRegistry registry, Tags common) {
        InstanceStore instances = proxy(InstanceStore.class, new MeasuredStore(store.instances(), registry, common));
        MeasuredStore measured = new MeasuredStore(store, registry, common);
        return proxy(
                JobStore.class,
                (proxy, method, arguments) ->
                        method.getName().equals("instances") ? instances : measured.invoke(proxy, method, arguments));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class || method.getDeclaringClass() == JobStore.class) {
            return call(method, arguments);
        }
        String exception = NO_EXCEPTION;
        Timer.Sample sample = Timer.start(registry);
        try {
            return call(method, arguments);
        } catch (Throwable thrown) {
            exception = thrown.getClass().getSimpleName();
            throw thrown;
        } finally {
            sample.stop(timers.withTags(Tags.of("operation", method.getName(), "exception", exception)));
        }
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
