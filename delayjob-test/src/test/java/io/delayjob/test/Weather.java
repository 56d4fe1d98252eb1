package io.delayjob.test;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.store.InstanceStore;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.Random;

/**
 * What lies between one engine and its store: in an outage every call of the engine fails, one half of them only after they
 * have been applied. Calls of the application get through.
 */
final class Weather {

    private final Random random;
    private boolean outage;
    private boolean application;

    Weather(long seed) {
        random = new Random(seed);
    }

    void outage(boolean begins) {
        outage = begins;
    }

    void application(Runnable call) {
        application = true;
        try {
            call.run();
        } finally {
            application = false;
        }
    }

    JobStore over(JobStore store) {
        InstanceStore instances = over(InstanceStore.class, store.instances());
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("instances") ? instances : pass(store, method, arguments));
    }

    LeaseProvider over(LeaseProvider leases) {
        return over(LeaseProvider.class, leases);
    }

    private <T> T over(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> pass(target, method, arguments)));
    }

    private Object pass(Object target, Method method, Object[] arguments) throws Throwable {
        boolean fails = outage && !application;
        if (fails && random.nextBoolean()) {
            throw lost();
        }
        Object answer;
        try {
            answer = method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        if (fails) {
            throw lost();
        }
        return answer;
    }

    private static StoreException lost() {
        return StoreException.unavailable("no answer", new SocketTimeoutException());
    }
}
