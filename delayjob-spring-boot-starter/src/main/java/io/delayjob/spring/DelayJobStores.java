package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import io.delayjob.MethodReference;
import io.delayjob.MethodReferenceReader;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.AlikeNames;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The stores of an application with several stores. A bean of this type exists if {@code delayjob.stores} names at
 * least one store. The properties {@code delayjob.*} describe the default store. Thread-safe.
 */
public final class DelayJobStores {

    /** Name of the default store. */
    public static final String DEFAULT = "default";

    /** Prefix of the properties of further stores. */
    public static final String PROPERTY = "delayjob.stores";

    private final Map<String, DelayJobStore> stores = new LinkedHashMap<>();
    private final @Nullable StoreSelector selector;
    private final DelayJobOperations operations = new RoutedOperations(this, null);

    private final HandlerRegistry handlers = new HandlerRegistry();

    private final MethodReferenceReader references = new MethodReferenceReader(handlers);

    /** The stores that handlers state, by handler name. */
    private final Map<String, String> stated = new ConcurrentHashMap<>();

    /**
     * @param stores the stores; the first is the default store
     * @param selector chooses stores by key; {@code null} if the application has no selector
     */
    public DelayJobStores(List<DelayJobStore> stores, @Nullable StoreSelector selector) {
        stores.forEach(store -> this.stores.put(store.name(), store));
        this.selector = selector;
    }

    /** Tells whether the configuration names a store besides the default store. */
    public static boolean areSeveral(Environment environment) {
        return Binder.get(environment)
                .bind(PROPERTY, Bindable.mapOf(String.class, Object.class))
                .map(stores -> !stores.isEmpty())
                .orElse(false);
    }

    /** Returns all stores, the default store first. */
    public Collection<DelayJobStore> all() {
        return List.copyOf(stores.values());
    }

    /** Returns the names of all stores, the default store first. */
    public Set<String> names() {
        return Collections.unmodifiableSet(stores.keySet());
    }

    /**
     * Returns the store that has this name.
     *
     * @throws IllegalArgumentException if there is no such store
     */
    public DelayJobStore get(String name) {
        DelayJobStore store = stores.get(name);
        if (store == null) {
            throw new IllegalArgumentException(
                    "Unknown store '%s': must be one of %s, the names of delayjob.stores and '%s'. Did you mean '%s'?"
                            .formatted(
                                    name,
                                    stores.keySet(),
                                    DEFAULT,
                                    AlikeNames.of(String.valueOf(name), stores.keySet(), 1)
                                            .get(0)));
        }
        return store;
    }

    /**
     * Returns operations that choose the store separately for each call:
     *
     * <ul>
     *   <li>If a call names a handler that states a store, the call goes to this store.
     *   <li>If a call pauses or resumes a queue, the call goes to all stores.
     *   <li>If a call pauses or resumes a handler that states no store, the call also goes to all stores.
     *   <li>If any other call names a handler that states no store, the {@link StoreSelector} chooses the store. But a
     *       query without a key does not ask the selector.
     *   <li>If a call names a job by its id, the call goes to the store that has the job.
     *   <li>All other calls go to the default store.
     * </ul>
     */
    public DelayJobOperations operations() {
        return operations;
    }

    /** Returns the handlers of all stores. */
    public HandlerRegistry handlers() {
        return handlers;
    }

    void register(Handler handler, @Nullable String store) {
        handlers.register(handler);
        if (store == null) {
            stores.values().forEach(each -> each.handlers().register(handler));
        } else {
            handler.names().forEach(name -> stated.put(name, store));
            stores.values().stream()
                    .filter(each -> !each.name().equals(store))
                    .forEach(each -> each.handlers().exclude(handler, store));
            get(store).handlers().register(handler);
        }
    }

    /** {@code null} if the handler states no store or is unknown. */
    @Nullable
    String statedStore(String handler) {
        return stated.get(handler);
    }

    @Nullable
    StoreSelector selector() {
        return selector;
    }

    String nameOf(MethodReference reference) {
        return references.handlerOf(reference).name();
    }
}
