package io.delayjob.test;

import io.delayjob.BulkSpec;
import io.delayjob.DelayJobOperations;
import io.delayjob.NamedSpec;
import io.delayjob.PayloadSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.TwoPayloadsSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers each call of {@code schedule(…)} until a later step gives it a time, or is refused with an exception. It
 * wraps the operations of an engine under test; applications do not have it.
 * Thread-safe.
 */
final class ScheduleWatch {

    private static final Set<Class<?>> STEPS =
            Set.of(PayloadSpec.class, TwoPayloadsSpec.class, NamedSpec.class, ScheduleSpec.class, BulkSpec.class);

    private static final StackWalker STACK = StackWalker.getInstance();

    private final Set<Begun> open = ConcurrentHashMap.newKeySet();

    /** A call of {@code schedule(…)}; two are never equal. */
    private static final class Begun {
        private final String place = STACK.walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                .filter(frame -> !isBetween(frame.getClassName()))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("an unknown place"));

        private static boolean isBetween(String type) {
            return type.equals(ScheduleWatch.class.getName())
                    || type.startsWith(ScheduleWatch.class.getName() + "$")
                    || type.equals("io.delayjob.spring.DelayJobTemplate")
                    || type.contains("$Proxy")
                    || type.startsWith("java.");
        }
    }

    /** The same operations, watched. */
    DelayJobOperations over(DelayJobOperations operations) {
        return (DelayJobOperations) watched(DelayJobOperations.class, operations, null);
    }

    /** Returns, and forgets, the places of the calls that have not been given a time. */
    List<String> takeAbandoned() {
        List<Begun> abandoned = List.copyOf(open);
        abandoned.forEach(open::remove);
        return abandoned.stream().map(begun -> begun.place).sorted().toList();
    }

    private Object watched(Class<?> type, Object target, @Nullable Begun begun) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, begun, method, arguments));
    }

    private @Nullable Object call(
            Object target, @Nullable Begun begun, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        boolean step = STEPS.contains(method.getReturnType());
        Begun current = step && begun == null ? new Begun() : begun;
        Object answer;
        try {
            answer = method.invoke(target, arguments);
        } catch (InvocationTargetException refused) {
            end(current);
            throw refused.getCause();
        }
        if (step && answer != null && current != null) {
            if (begun == null) {
                open.add(current);
            }
            return watched(method.getReturnType(), answer, current);
        }
        if (method.getDeclaringClass() != Object.class) {
            end(current);
        }
        return answer;
    }

    private void end(@Nullable Begun begun) {
        if (begun != null) {
            open.remove(begun);
        }
    }
}
