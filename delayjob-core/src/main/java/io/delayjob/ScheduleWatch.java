package io.delayjob;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds calls of {@code schedule} that never state a time. A test {@linkplain #over watches all calls}, and then
 * {@linkplain #takeUnended gets a list} of the calls that stated no time. An engine watches only a {@linkplain #sampled
 * sample} of the calls. The object that a call returns is the first step of the call. The methods of a step can return
 * further steps. When all steps of a call have been garbage collected, the application can no longer state a time for
 * this call. For each call, the watch keeps only a text with the place in the code. Thread-safe.
 */
public final class ScheduleWatch {

    /** The watch returns proxies for steps of these types. */
    public static final Set<Class<?>> STEPS = Set.of(
            PayloadSpec.class,
            TwoPayloadsSpec.class,
            NamedSpec.class,
            ScheduleSpec.class,
            BulkSpec.class,
            ChainSpec.class,
            ChainSpec.WithPayload.class,
            ChainSpec.WithTwoPayloads.class,
            ChainSpec.Step.class,
            ChainSpec.Named.class);

    /**
     * The first calls are all watched, because an application makes most of its different calls soon after its start.
     */
    private static final int FIRST = 64;

    private static final int ONE_IN = 128;

    /** Types that may be on the stack between an application's call and this class. */
    private static final Set<String> BETWEEN = Set.of(
            ScheduleWatch.class.getName(),
            AbandonedSpecs.class.getName(),
            JobOperations.class.getName(),
            "io.delayjob.spring.DelayJobTemplate",
            "io.delayjob.spring.RoutedOperations");

    private static final StackWalker STACK = StackWalker.getInstance();

    private final AtomicLong calls = new AtomicLong();
    private final ReferenceQueue<Begun> collected = new ReferenceQueue<>();
    private final Set<Trace> open = ConcurrentHashMap.newKeySet();

    /** Only the steps of a call refer to this object, so it is garbage collected together with them. */
    private static final class Begun {}

    /** Keeps the line of code that made the call. A warning may need it after the steps have been garbage collected. */
    private static final class Trace extends PhantomReference<Begun> {

        private final String call;

        Trace(Begun begun, ReferenceQueue<Begun> collected, String call) {
            super(begun, collected);
            this.call = call;
        }
    }

    /** Each step of a call refers to this object, so the call is garbage collected only after its last step. */
    private record Watched(Begun begun, Trace trace) {}

    /** Returns a proxy of these operations, and watches each call of {@code schedule} on this proxy. */
    public DelayJobOperations over(DelayJobOperations operations) {
        return (DelayJobOperations) watching(DelayJobOperations.class, operations, null);
    }

    /** Returns the line of code of each call that has not stated a time, and forgets these calls. */
    public List<String> takeUnended() {
        List<Trace> unended = List.copyOf(open);
        unended.forEach(this::forget);
        return unended.stream().map(trace -> trace.call).sorted().toList();
    }

    <S> S sampled(Class<S> type, S step, String handler) {
        long call = calls.getAndIncrement();
        return call < FIRST || call % ONE_IN == 0
                ? type.cast(watching(type, step, begin("'%s' at %s".formatted(handler, place()))))
                : step;
    }

    List<String> takeCollected() {
        List<String> abandoned = new ArrayList<>();
        for (Trace trace = (Trace) collected.poll(); trace != null; trace = (Trace) collected.poll()) {
            if (open.remove(trace)) {
                abandoned.add(trace.call);
            }
        }
        return abandoned;
    }

    private static String place() {
        return STACK.walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                .filter(frame -> !isBetween(frame.getClassName()))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("an unknown place"));
    }

    private static boolean isBetween(String type) {
        return BETWEEN.contains(type) || type.contains("$Proxy") || type.startsWith("java.");
    }

    private Watched begin(String call) {
        Begun begun = new Begun();
        Trace trace = new Trace(begun, collected, call);
        open.add(trace);
        return new Watched(begun, trace);
    }

    private void forget(Trace trace) {
        open.remove(trace);
        trace.clear();
    }

    /** @param call {@code null} if each method call on the proxy begins a new watched call */
    private Object watching(Class<?> type, Object target, @Nullable Watched call) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, call, method, arguments));
    }

    private @Nullable Object call(
            Object target, @Nullable Watched begun, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean step = STEPS.contains(method.getReturnType());
        Object answer;
        try {
            answer = method.invoke(target, arguments);
        } catch (InvocationTargetException refused) {
            end(begun);
            throw refused.getCause();
        }
        if (step && answer != null) {
            return watching(method.getReturnType(), answer, begun == null ? begin(place()) : begun);
        }
        if (method.getDeclaringClass() != Object.class) {
            end(begun);
        }
        return answer;
    }

    private void end(@Nullable Watched call) {
        if (call != null) {
            forget(call.trace);
        }
    }
}
