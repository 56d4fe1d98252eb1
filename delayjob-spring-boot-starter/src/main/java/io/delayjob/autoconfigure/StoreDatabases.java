package io.delayjob.autoconfigure;

import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The databases of named stores, and their transaction managers. {@link StoreDatabasesRegistrar} registers both as
 * beans, with the store's name as the qualifier. Thread-safe.
 */
public final class StoreDatabases {

    private final List<NamedStore> stores;
    private final ListableBeanFactory beans;

    StoreDatabases(Environment environment, ListableBeanFactory beans) {
        this.stores = NamedStore.all(environment);
        this.beans = beans;
    }

    List<NamedStore> stores() {
        return stores;
    }

    /** Returns the DataSource of this store; {@code null} if the store is not in a database. */
    public @Nullable DataSource find(String store) {
        NamedStore named = store(store);
        return named.isJdbc() ? dataSource(named) : null;
    }

    private NamedStore store(String name) {
        return stores.stream()
                .filter(store -> store.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    DataSource newDataSource(String store) {
        NamedStore named = store(store);
        StoreProperties.Place place = named.place();
        DataSourceBuilder<?> pool = DataSourceBuilder.create()
                .url(Objects.requireNonNull(place.url()))
                .username(place.username())
                .password(place.password());
        String driver = place.driverClassName();
        if (driver != null) {
            pool.driverClassName(driver);
        }
        DataSource made = pool.build();
        named.bindOwn("hikari", made);
        return made;
    }

    /** Returns {@code Object}, because the class of the connection factory may be absent. */
    Object newConnectionFactory(String store) {
        return PlaceInRedis.connections(store(store));
    }

    /**
     * Returns the manager that the store's properties name. If the properties name no manager, but exactly one manager
     * belongs to the store's DataSource, returns this manager. In all other cases, returns a new manager.
     */
    PlatformTransactionManager transactionManager(String store) {
        NamedStore named = store(store);
        String stated = named.place().transactionManager();
        if (stated != null) {
            return bean(named, "transaction-manager", stated, PlatformTransactionManager.class);
        }
        DataSource dataSource = dataSource(named);
        PlatformTransactionManager present = ManagersOfDataSource.only(beans, dataSource);
        return present == null ? new JdbcTransactionManager(dataSource) : present;
    }

    DataSource dataSource(NamedStore store) {
        String bean = store.place().dataSource();
        if (bean != null) {
            return bean(store, "data-source", bean, DataSource.class);
        }
        if (store.hasOwnDataSource()) {
            return beans.getBean(StoreDatabasesRegistrar.dataSourceName(store.name()), DataSource.class);
        }
        throw new InvalidSettingException(
                store.key("data-source"),
                "Store '%s' has no data source: state %s, the name of a DataSource bean, or %s, such as jdbc:postgresql://host/jobs. Or set %s=redis or memory."
                        .formatted(store.name(), store.key("data-source"), store.key("url"), store.key("store")));
    }

    private <T> T bean(NamedStore store, String property, String name, Class<T> type) {
        return StoreBeans.find(beans, store, property, name, type);
    }
}
