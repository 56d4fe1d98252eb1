package io.delayjob.spring;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registers handlers and their schedules at one store or several.
 *
 * @param registry handlers of the only store, or of the default store
 * @param stores {@code null} if there is only one store
 */
record HandlerPlaces(
        HandlerRegistry registry, @Nullable DelayJobStores stores, Map<String, DeclaredSchedules> schedules) {

    void register(Handler handler, @Nullable String store) {
        if (stores == null) {
            registry.register(handler);
        } else {
            stores.register(handler, store);
        }
    }

    void declare(DeclaredSchedule schedule, @Nullable String store) {
        DeclaredSchedules declared = schedules.get(store == null ? DelayJobStores.DEFAULT : store);
        if (declared != null) {
            declared.add(schedule);
        }
    }

    void check(AnnotatedMethod method, @Nullable String store) {
        if (store == null) {
            return;
        }
        if (stores == null) {
            if (!store.equals(DelayJobStores.DEFAULT)) {
                throw method.invalid(
                        "states the store '%s', but this application has no named stores".formatted(store),
                        "Declare the store by delayjob.stores.%s.*, or remove store = \"%s\".".formatted(store, store));
            }
        } else if (!stores.names().contains(store)) {
            throw method.invalid(
                    "states the store '%s', which does not exist; the stores are %s".formatted(store, stores.names()),
                    "Correct the name, or declare the store by delayjob.stores.%s.*.".formatted(store));
        }
    }
}
