package io.delayjob.test;

import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.util.function.Predicate;

/** A store that is unavailable when the test says so. */
final class FaultyStore {

    private final JobStore store;

    /** @param fails decides by the name of a method whether a call of it fails without an effect */
    FaultyStore(JobStore healthy, Predicate<String> fails) {
        store = (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    if (fails.test(method.getName())) {
                        throw StoreException.unavailable("no connection", new ConnectException("refused"));
                    }
                    try {
                        return method.invoke(healthy, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    JobStore store() {
        return store;
    }
}
