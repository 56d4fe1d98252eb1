package io.delayjob.spring;

import io.delayjob.BulkSpec;
import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleWatch;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call that schedules jobs whose keys select their store. This object first collects the steps of the call. The last
 * step states the time, and the key is then known. So this object chooses the store, and repeats all steps there.
 * Immutable.
 *
 * <p>A bulk call becomes one call for each store, in separate transactions.
 */
record ScheduleByKey(
        List<Step> steps, Function<DelayJobOperations, ?> begin, Function<@Nullable Object, DelayJobOperations> stores)
        implements InvocationHandler {

    private static final String KEY = "key";
    private static final String WITH_EACH = "withEach";

    private static final Set<String> GROUP_STEPS = Set.of("group", "whenAllEnded", "whenAnyFails");

    private record Step(Method method, @Nullable Object @Nullable [] arguments) {

        boolean is(String name) {
            return method.getName().equals(name);
        }

        @Nullable
        Object argument(int index) {
            return Objects.requireNonNull(arguments)[index];
        }

        @Nullable
        Object make(Object target) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException refused) {
                throw refused.getTargetException();
            }
        }
    }

    @SuppressWarnings("unchecked") // the type's parameters are those of the call, which is passed on unread
    static <S> S begin(
            Class<? super S> type,
            Function<DelayJobOperations, S> begin,
            Function<@Nullable Object, DelayJobOperations> stores) {
        return (S) proxy(type, new ScheduleByKey(List.of(), begin, stores));
    }

    private static Object proxy(Class<?> type, ScheduleByKey call) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, call);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (GROUP_STEPS.contains(method.getName())) {
            throw new IllegalArgumentException(
                    "Invalid group '%s' of a job whose key chooses its store: all jobs of a group must lie in one store. Name the store with in(\"…\")."
                            .formatted(Objects.requireNonNull(arguments)[0]));
        }
        Step step = new Step(method, arguments);
        if (ScheduleWatch.STEPS.contains(method.getReturnType())) {
            List<Step> more = Stream.concat(steps.stream(), Stream.of(step)).toList();
            return proxy(method.getReturnType(), new ScheduleByKey(more, begin, stores));
        }
        return method.getDeclaringClass() == BulkSpec.class ? endBulk(step) : end(step);
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == Objects.requireNonNull(arguments)[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "a call whose store depends on its key";
        };
    }

    private @Nullable Object end(Step last) throws Throwable {
        Object key = steps.stream()
                .filter(step -> step.is(KEY))
                .reduce((earlier, later) -> later)
                .map(step -> step.argument(0))
                .orElse(null);
        return replay(steps, last, stores.apply(key));
    }

    private @Nullable Object replay(List<Step> made, Step last, DelayJobOperations store) throws Throwable {
        Object target = begin.apply(store);
        for (Step step : made) {
            target = Objects.requireNonNull(step.make(target));
        }
        return last.make(target);
    }

    private @Nullable Object endBulk(Step last) throws Throwable {
        if (!(payloads().argument(0) instanceof Collection<?> collection)) {
            // Any store refuses it.
            return replay(steps, last, stores.apply(null));
        }
        List<@Nullable Object> payloads = new ArrayList<>(collection);
        Map<DelayJobOperations, List<Integer>> placesByStore = new LinkedHashMap<>();
        for (int place = 0; place < payloads.size(); place++) {
            placesByStore
                    .computeIfAbsent(stores.apply(keyOf(payloads.get(place))), store -> new ArrayList<>())
                    .add(place);
        }
        Object[] results = new Object[payloads.size()];
        for (Map.Entry<DelayJobOperations, List<Integer>> part : placesByStore.entrySet()) {
            List<Integer> places = part.getValue();
            List<?> itsPayloads = places.stream().map(payloads::get).toList();
            List<?> written = (List<?>) Objects.requireNonNull(replay(withPayloads(itsPayloads), last, part.getKey()));
            for (int i = 0; i < places.size(); i++) {
                results[places.get(i)] = Objects.requireNonNull(written.get(i));
            }
        }
        return List.of(results);
    }

    private Step payloads() {
        return steps.stream().filter(step -> step.is(WITH_EACH)).findFirst().orElseThrow();
    }

    @SuppressWarnings("unchecked") // the compiler has checked the caller's function against the caller's payloads
    private @Nullable Object keyOf(@Nullable Object payload) {
        return steps.stream()
                .filter(step -> step.is(KEY))
                .reduce((earlier, later) -> later)
                .map(step -> ((Function<@Nullable Object, @Nullable Object>) Objects.requireNonNull(step.argument(0)))
                        .apply(payload))
                .orElse(null);
    }

    private List<Step> withPayloads(List<?> some) {
        Step all = payloads();
        return steps.stream()
                .map(step -> step == all ? new Step(step.method(), new Object[] {some}) : step)
                .toList();
    }
}
