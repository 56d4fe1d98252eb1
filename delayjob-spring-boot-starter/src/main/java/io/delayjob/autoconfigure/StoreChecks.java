package io.delayjob.autoconfigure;

import io.delayjob.spring.DelayJobStore;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Checks at start that each name of a store refers to a different store. For named stores, this class also does what
 * {@link WarmUp} and {@link AtomicHandlersWarning} do for the default store.
 */
final class StoreChecks implements SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(StoreChecks.class);

    /** The smallest number with eight digits in base 36. A store's identity has at most eight digits. */
    private static final long LEAST_IDENTITY = 78_364_164_096L;

    private static final int BASE = 36;

    private final ApplicationContext context;
    private final DelayJobStores stores;
    private final StoreDatabases databases;
    private final RandomGenerator random;
    private final boolean realTime;

    StoreChecks(
            ApplicationContext context,
            DelayJobStores stores,
            StoreDatabases databases,
            RandomGenerator random,
            boolean realTime) {
        this.context = context;
        this.stores = stores;
        this.databases = databases;
        this.random = random;
        this.realTime = realTime;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<DelayJobStore> all = List.copyOf(stores.all());
        List<Optional<String>> identities =
                SideBySide.all(all.stream().map(this::identityOf).toList());
        Map<String, DelayJobStore> byIdentity = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            DelayJobStore store = all.get(i);
            identities
                    .get(i)
                    .map(identity -> byIdentity.putIfAbsent(identity, store))
                    .ifPresent(other -> {
                        throw same(other, store);
                    });
        }
    }

    /** Empty if the store does not answer. */
    private Supplier<Optional<String>> identityOf(DelayJobStore store) {
        long range = LEAST_IDENTITY * (BASE - 1);
        long number = LEAST_IDENTITY + Math.floorMod(random.nextLong(), range);
        String proposed = Long.toString(number, BASE).toLowerCase(Locale.ROOT);
        return () -> {
            try {
                return Optional.of(store.store().identity(proposed));
            } catch (StoreException away) {
                log.warn(
                        "The job store {} does not answer yet, but delayjob starts. delayjob could not check whether this "
                                + "store shares tables or keys with another store, and does not check it later. Each "
                                + "store in delayjob.stores, and the store 'default', needs tables or keys of its own. "
                                + "The error of this store: {}",
                        store,
                        away.getMessage());
                return Optional.empty();
            }
        };
    }

    private static InvalidSettingException same(DelayJobStore one, DelayJobStore other) {
        return new InvalidSettingException(
                DelayJobStores.PROPERTY + "." + other.name(),
                "Stores %s and %s keep their jobs in the same place, so the engine of each store would run the jobs of both stores. Give each store a database of its own, or tables or keys of its own: %s.%s.jdbc.table-prefix, or redis.namespace."
                        .formatted(one, other, DelayJobStores.PROPERTY, other.name()));
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() != context || !realTime) {
            return;
        }
        DelayJobThreads threads = context.getBean(DelayJobThreads.class);
        for (NamedStore named : databases.stores()) {
            DelayJobStore store = stores.get(named.name());
            if (named.isJdbc()) {
                JobPool pool = new JobPool(
                        databases.dataSource(named), context.getBeanProvider(DataSourcePoolMetadataProvider.class));
                new AtomicHandlersWarning(context, store.handlers(), store.settings(), pool)
                        .onApplicationEvent(refreshed);
            }
            if (store.settings().worker()) {
                new WarmUp(context, store.store(), store.clock(), threads.workers()).onApplicationEvent(refreshed);
            }
        }
    }
}
