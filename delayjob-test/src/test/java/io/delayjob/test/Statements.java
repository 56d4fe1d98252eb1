package io.delayjob.test;

import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Counts the calls of an engine that a store would send to its server. */
final class Statements {

    private Statements() {}

    /** @param statements the number of calls of each method */
    static JobStore counted(JobStore store, Map<String, Integer> statements) {
        InstanceStore instances = counted(InstanceStore.class, store.instances(), statements, null);
        return counted(JobStore.class, store, statements, instances);
    }

    private static <T> T counted(
            Class<T> type, Object target, Map<String, Integer> statements, InstanceStore instances) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("instances")) {
                        return instances;
                    }
                    Class<?> role = method.getDeclaringClass();
                    if (role != JobStore.class && role != Object.class) {
                        statements.merge(method.getName(), 1, Integer::sum);
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }
}
