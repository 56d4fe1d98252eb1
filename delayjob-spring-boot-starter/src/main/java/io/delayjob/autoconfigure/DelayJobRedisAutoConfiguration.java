package io.delayjob.autoconfigure;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.redis.RedisJobStore;
import io.delayjob.settings.EngineSettings;
import io.delayjob.shedlock.ShedLockLeaseProvider;
import io.delayjob.spring.CallsInTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.time.EngineClock;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps jobs in Redis or Valkey with {@code delayjob.store=redis}. Leases are on the same server unless {@code
 * delayjob.lease.provider} names another provider. {@code spring.data.redis.*} describes the server.
 */
@AutoConfiguration(
        before = DelayJobJdbcAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "delayjob.store", havingValue = "redis")
@ConditionalOnClass({RedisJobStore.class, LettuceConnectionFactory.class, RedisLockProvider.class})
@ConditionalOnMissingBean(value = JobStore.class, ignored = RedisJobStore.class)
@EnableConfigurationProperties({DelayJobProperties.class, DelayJobRedisProperties.class})
@ImportRuntimeHints(DelayJobRedisAutoConfiguration.Scripts.class)
public final class DelayJobRedisAutoConfiguration {

    private static final String IN_REDIS = "redis";

    @Bean
    JobRedis delayJobRedis(
            ObjectProvider<RedisConnectionFactory> connections,
            @DelayJobRedis ObjectProvider<RedisConnectionFactory> delayJobConnections) {
        return JobRedis.choose(connections, delayJobConnections);
    }

    /** No destroy method: the connection factory closes the store's connections when it stops. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean(JobStore.class)
    RedisJobStore delayJobStore(
            JobRedis redis, DelayJobRedisProperties properties, DelayJobProperties general, EngineSettings settings) {
        return redis.store(properties, general, settings);
    }

    @Bean
    @ConditionalOnBean(RedisJobStore.class)
    @ConditionalOnMissingBean
    CallsInTransactions delayJobCallsInTransactions(DelayJobRedisProperties properties) {
        return new CallsInTransactions(properties.inTransaction());
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseProvider delayJobLeases(
            JobRedis redis,
            DelayJobRedisProperties properties,
            EngineClock clock,
            BeanFactory beans,
            Environment environment) {
        String choice = environment.getProperty(LockProviderBean.SETTING, IN_REDIS);
        LockProvider locks =
                choice.equals(IN_REDIS) ? redis.locks(properties) : LockProviderBean.find(beans, choice, IN_REDIS);
        return new ShedLockLeaseProvider(locks, clock);
    }

    static final class Scripts implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.resources().registerPattern("io/delayjob/redis/*.lua");
        }
    }
}
