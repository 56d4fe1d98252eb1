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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long calls to a store take, in the meter {@code delayjob.store}. Methods that only describe the store,
 * such as {@link JobStore#capabilities()}, are not measured.
 */
final class MeasuredStore implements InvocationHandler {

    private static final String NO_EXCEPTION = "none";

    /**
     * Names of the methods of all roles. {@link JobStore} declares some of these methods again, to give them a body.
     */
    private static final Set<String> REQUESTS = Stream.of(JobStore.class.getInterfaces())
            .flatMap(role -> Stream.of(role.getMethods()))
            .map(Method::getName)
            .collect(Collectors.toUnmodifiableSet());

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
        Class<?> declaring = method.getDeclaringClass();
        if (declaring == Object.class || declaring == JobStore.class && !REQUESTS.contains(method.getName())) {
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
