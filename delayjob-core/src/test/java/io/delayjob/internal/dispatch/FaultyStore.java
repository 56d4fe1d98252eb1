package io.delayjob.internal.dispatch;

import io.delayjob.job.Completion;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.store.CompletionResult;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A store that loses answers, refuses calls and finds rows locked when a test says so, and remembers what it was asked.
 */
public final class FaultyStore implements InvocationHandler {

    /** One call, by the method's name, with its arguments. */
    public record Call(String method, List<Object> arguments) {

        @SuppressWarnings("unchecked")
        public <T> Collection<T> rows() {
            return (Collection<T>) arguments.get(0);
        }
    }

    private record Fault(Predicate<Call> meets, boolean applied, Throwable thrown, boolean forEver) {}

    private final JobStore store;
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Set<JobId> locked = new HashSet<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Runnable> meanwhile = new HashMap<>();

    public FaultyStore(JobStore store) {
        this.store = store;
    }

    public JobStore asStore() {
        return (JobStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {JobStore.class}, this);
    }

    /** The next call of that method is applied, and its answer is lost. */
    public FaultyStore loseAnswerOf(String method) {
        faults.add(new Fault(is(method), true, unavailable(), false));
        return this;
    }

    /** The next call of that method does not reach the store. */
    public FaultyStore loseCallOf(String method) {
        return fail(method, unavailable());
    }

    /** The next call of that method fails like this, and is not applied. */
    public FaultyStore fail(String method, Throwable thrown) {
        faults.add(new Fault(is(method), false, thrown, false));
        return this;
    }

    /** Every such call is refused for good, and nothing of it applied. */
    public FaultyStore refuse(Predicate<Call> meets) {
        faults.add(new Fault(meets, false, StoreException.refused("refused", new IllegalStateException()), true));
        return this;
    }

    /** Every such call fails like this, and nothing of it is applied. */
    public FaultyStore fail(Predicate<Call> meets, Throwable thrown) {
        faults.add(new Fault(meets, false, thrown, true));
        return this;
    }

    /** Every such call comes to nothing after a while, as when somebody holds a row that it needs. */
    public FaultyStore timeOut(Predicate<Call> meets) {
        faults.add(new Fault(meets, false, unavailable(), true));
        return this;
    }

    /** This happens while such a call is under way. */
    public FaultyStore during(String method, Runnable happens) {
        meanwhile.put(checked(method), happens);
        return this;
    }

    /** All faults are over. */
    public void heal() {
        faults.clear();
    }

    /** Somebody holds this row from now on: the engine's transitions pass over it. */
    public void lock(JobId row) {
        locked.add(row);
    }

    public void unlock(JobId row) {
        locked.remove(row);
    }

    public List<Call> calls(String method) {
        return calls.stream().filter(is(checked(method))).toList();
    }

    public void forgetCalls() {
        calls.clear();
    }

    private static Predicate<Call> is(String method) {
        String known = checked(method);
        return call -> call.method.equals(known);
    }

    private static String checked(String method) {
        if (Arrays.stream(JobStore.class.getMethods())
                .noneMatch(m -> m.getName().equals(method))) {
            throw new IllegalArgumentException("JobStore has no method " + method);
        }
        return method;
    }

    private static StoreException unavailable() {
        return StoreException.unavailable("away", new IllegalStateException());
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Call call = new Call(method.getName(), arguments == null ? List.of() : asTheyAreNow(arguments));
        calls.add(call);
        meanwhile.getOrDefault(method.getName(), () -> {}).run();
        Fault fault =
                faults.stream().filter(f -> f.meets.test(call)).findFirst().orElse(null);
        if (fault == null) {
            return apply(call, method);
        }
        if (!fault.forEver) {
            faults.remove(fault);
        }
        if (fault.applied) {
            apply(call, method);
        }
        throw fault.thrown;
    }

    private static List<Object> asTheyAreNow(Object[] arguments) {
        return Arrays.stream(arguments)
                .map(argument -> argument instanceof List<?>
                                || argument instanceof Set<?>
                                || !(argument instanceof Collection<?> live)
                        ? argument
                        : new ArrayList<>(live))
                .toList();
    }

    private List<CompletionResult> complete(Call call) {
        return call.<Completion>rows().stream()
                .map(completion -> locked.contains(completion.job().id())
                        ? CompletionResult.LOCKED
                        : store.complete(List.of(completion)).get(0))
                .toList();
    }

    private List<DueRow> release(Call call, Method method, Object[] arguments) throws ReflectiveOperationException {
        Map<Boolean, List<DueRow>> byLock =
                call.<DueRow>rows().stream().collect(Collectors.partitioningBy(row -> locked.contains(row.id())));
        arguments[0] = byLock.get(false);
        method.invoke(store, arguments);
        return byLock.get(true);
    }

    private List<JobId> settleDoubt(Call call) {
        Map<Boolean, List<JobId>> byLock =
                call.<JobId>rows().stream().collect(Collectors.partitioningBy(locked::contains));
        store.settleDoubt(byLock.get(false));
        return byLock.get(true);
    }

    private Object apply(Call call, Method method) throws Throwable {
        Object[] arguments = call.arguments.toArray();
        if (call.method.equals("claim") || call.method.equals("rescue")) {
            arguments[0] = call.<DueRow>rows().stream()
                    .filter(row -> !locked.contains(row.id()))
                    .toList();
        }
        try {
            return switch (call.method) {
                case "complete" -> complete(call);
                case "release" -> release(call, method, arguments);
                case "settleDoubt" -> settleDoubt(call);
                default -> method.invoke(store, arguments);
            };
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
