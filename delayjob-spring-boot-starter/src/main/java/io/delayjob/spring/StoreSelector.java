package io.delayjob.spring;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the store of a job by the job's key if an application has several stores. delayjob calls the selector only if
 * neither the call nor the handler names a store.
 *
 * <pre>{@code
 * @Bean
 * StoreSelector byCustomer() {
 *     List<String> stores = List.of("default", "db1", "db2", "db3");
 *     return (handler, key) -> stores.get(Math.floorMod(String.valueOf(key).hashCode(), stores.size()));
 * }
 * }</pre>
 *
 * <p>The same handler and key must always give the same store. Otherwise, two unfinished jobs could have the same key.
 * The selector must be thread-safe and fast.
 */
@FunctionalInterface
public interface StoreSelector {

    /**
     * Returns the name of the store for a job.
     *
     * @param handler name of the job's handler
     * @param key the job's key as text; {@code null} for a job without a key
     */
    String select(String handler, @Nullable String key);
}
