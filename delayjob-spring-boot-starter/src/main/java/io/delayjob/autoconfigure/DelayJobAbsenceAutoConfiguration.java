package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.job.Printable;
import io.delayjob.spring.UnservedHandlers;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Refuses to start an application that has handlers but no engine, unless delayjob is disabled. Invalid properties are
 * found, too.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(DelayJobEngine.class)
@EnableConfigurationProperties(DelayJobProperties.class)
public final class DelayJobAbsenceAutoConfiguration {

    private static final String JDBC = "jdbc";
    private static final String MEMORY = "memory";
    private static final String REDIS = "redis";

    private static final Map<String, String> OF_REDIS = new TreeMap<>(Map.of(
            "io.delayjob.redis.RedisJobStore", "delayjob-redis-store",
            "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                    "spring-boot-starter-data-redis",
            "net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider", "shedlock-provider-redis-spring"));

    @Bean
    UnservedHandlers delayJobUnservedHandlers(ConfigurableListableBeanFactory beans) {
        return new UnservedHandlers(beans);
    }

    /** Checks the setting early. A later error of Spring would name only the first bean that needs an engine. */
    @Bean
    static BeanFactoryPostProcessor delayJobStoreSetting(Environment environment) {
        return beans -> checkStore(environment.getProperty("delayjob.store", JDBC), beans.getBeanClassLoader());
    }

    private static void checkStore(String name, @Nullable ClassLoader loader) {
        if (name.equalsIgnoreCase(REDIS)) {
            checkRedisJars(loader);
        } else if (!name.equalsIgnoreCase(JDBC) && !name.equalsIgnoreCase(MEMORY)) {
            throw new InvalidSettingException(
                    "delayjob.store",
                    "Invalid delayjob.store '%s': must be %s, %s, %s, or the name of another store. For another store, add its jar with its JobStore and LeaseProvider beans to the class path."
                            .formatted(Printable.of(name), JDBC, MEMORY, REDIS));
        }
    }

    private static void checkRedisJars(@Nullable ClassLoader loader) {
        String missing = OF_REDIS.entrySet().stream()
                .filter(jar -> !ClassUtils.isPresent(jar.getKey(), loader))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new InvalidSettingException(
                    "delayjob.store",
                    "Invalid delayjob.store 'redis': needs jars that are missing on the class path. Add these dependencies: %s."
                            .formatted(missing));
        }
    }

    @Bean
    static LazyInitializationExcludeFilter delayJobAbsenceIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(UnservedHandlers.class, DelayJobProperties.class);
    }
}
