package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.spring.DelayJobTransactions;
import java.util.function.Supplier;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The place of a named store in Redis. This is a class of its own, because the classes of Redis may be absent. */
final class PlaceInRedis {

    private static final String IN_REDIS = "redis";

    private PlaceInRedis() {}

    static Supplier<StorePlace> of(
            NamedStore named, ListableBeanFactory beans, DelayJobProperties general, EngineSettings settings) {
        DelayJobRedisProperties properties = named.properties("redis", DelayJobRedisProperties.class);
        JobRedis redis = redis(named, beans);
        String provider = named.value("lease.provider");
        String choice = provider == null ? IN_REDIS : provider;
        LockProvider locks =
                choice.equals(IN_REDIS) ? redis.locks(properties) : LockProviderBean.find(beans, choice, IN_REDIS);
        return () -> new StorePlace(
                redis.store(properties, general, settings),
                (itsSettings, clock) -> new ShedLockLeaseProvider(locks, clock),
                DelayJobTransactions.NONE,
                new CallsInTransactions(properties.inTransaction()));
    }

    private static JobRedis redis(NamedStore named, ListableBeanFactory beans) {
        String bean = named.place().connectionFactory();
        if (bean != null) {
            return new JobRedis(
                    StoreBeans.find(beans, named, "connection-factory", bean, LettuceConnectionFactory.class));
        }
        return named.place().url() == null
                ? JobRedis.choose(
                        beans.getBeanProvider(RedisConnectionFactory.class),
                        beans.getBeanProvider(RedisConnectionFactory.class))
                : new JobRedis(beans.getBean(
                        StoreDatabasesRegistrar.connectionFactoryName(named.name()), LettuceConnectionFactory.class));
    }

    /** Each wait for Redis has a time limit, because the store's leases use these connections. */
    static LettuceConnectionFactory connections(NamedStore named) {
        String url = String.valueOf(named.place().url());
        LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
                .commandTimeout(JobRedis.longestWait(
                        named.properties("", DelayJobProperties.class).liveness()));
        if (url.startsWith("rediss:")) {
            client.useSsl();
        }
        return new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(url), client.build());
    }
}
