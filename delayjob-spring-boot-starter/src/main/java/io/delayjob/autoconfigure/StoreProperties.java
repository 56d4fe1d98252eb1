package io.delayjob.autoconfigure;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Further stores, in addition to the default store. The properties directly below delayjob describe the default store.
 *
 * @param stores Further stores, by name. Each property of the engine and of the job store can also be set for one
 *     store. For example, delayjob.stores.eu.partitions applies to the store eu. The default of this property is the
 *     value of delayjob.partitions.
 */
@ConfigurationProperties("delayjob")
public record StoreProperties(@DefaultValue Map<String, Place> stores) {

    /**
     * Place of one store.
     *
     * @param store Kind of the store: "jdbc", "redis" or "memory". Default: "jdbc" if a DataSource or a jdbc URL is
     *     named, "redis" if a connection factory or a Redis URL is named. Otherwise, the default is the value of
     *     delayjob.store.
     * @param dataSource Name of the DataSource bean of the store's database.
     * @param transactionManager Name of the bean that manages transactions on the store's database. Default: the
     *     manager of the DataSource if there is exactly one, otherwise a new manager.
     * @param connectionFactory Name of the LettuceConnectionFactory bean of the store's Redis. Default: the connection
     *     factory of spring.data.redis.
     * @param url URL of the store's database or Redis, if no bean is named: jdbc:…, redis://… or rediss://…
     * @param username User of the store's database.
     * @param password Password of the store's database.
     * @param driverClassName Driver of the store's database. Default: the driver for the store's URL.
     */
    public record Place(
            @Nullable String store,
            @Nullable String dataSource,
            @Nullable String transactionManager,
            @Nullable String connectionFactory,
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @Nullable String driverClassName) {

        /** Shows neither the password nor the URL, because the URL may contain a password. */
        @Override
        public String toString() {
            return "Place[store=" + store + ", dataSource=" + dataSource + "]";
        }
    }
}
