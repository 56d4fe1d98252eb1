package io.delayjob.autoconfigure;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Further stores, in addition to the one that the properties directly below delayjob describe.
 *
 * @param stores Further stores, by name. All other properties of delayjob can also be set for one store, such as
 *     delayjob.stores.eu.partitions. Default: the value directly below delayjob, such as delayjob.partitions.
 */
@ConfigurationProperties("delayjob")
public record StoreProperties(@DefaultValue Map<String, Place> stores) {

    /**
     * Place of one store.
     *
     * @param store Kind of the store: "jdbc", "redis" or "memory". Default: the kind that its URL names, or else the
     *     value of delayjob.store.
     * @param dataSource Name of the DataSource bean of its database.
     * @param transactionManager Name of the bean that manages transactions on its database. Default: the only manager
     *     of its DataSource, or else a new one.
     * @param connectionFactory Name of the LettuceConnectionFactory bean of its Redis. Default: the one of
     *     spring.data.redis.
     * @param url URL of its database or Redis, if no bean is named: jdbc:…, redis://… or rediss://…
     * @param username User of its database.
     * @param password Password of its database.
     * @param driverClassName Driver of its database. Default: the driver for its URL.
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

        /** Shows no password, and no URL, because it may contain one. */
        @Override
        public String toString() {
            return "Place[store=" + store + ", dataSource=" + dataSource + "]";
        }
    }
}
