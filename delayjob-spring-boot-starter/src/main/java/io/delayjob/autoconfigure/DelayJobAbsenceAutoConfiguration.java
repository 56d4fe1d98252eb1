package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.job.Printable;
import io.delayjob.spring.UnservedHandlers;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Refuses to start if handlers exist but no engine does, unless delayjob was disabled. It also binds the properties, so
 * that an unknown store is refused and not taken for no store.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(DelayJobEngine.class)
@EnableConfigurationProperties(DelayJobProperties.class)
public final class DelayJobAbsenceAutoConfiguration {

    private static final String JDBC = "jdbc";
    private static final String MEMORY = "memory";

    @Bean
    UnservedHandlers delayJobUnservedHandlers(ConfigurableListableBeanFactory beans) {
        return new UnservedHandlers(beans);
    }

    /** Checks before any bean is created. Otherwise Spring's error would name the first bean that needs an engine. */
    @Bean
    static BeanFactoryPostProcessor delayJobStoreSetting(Environment environment) {
        return beans -> checkStore(environment.getProperty("delayjob.store", JDBC));
    }

    private static void checkStore(String name) {
        if (!name.equalsIgnoreCase(JDBC) && !name.equalsIgnoreCase(MEMORY)) {
            throw new InvalidSettingException(
                    "delayjob.store",
                    "Invalid delayjob.store '%s': must be %s, %s, or the name of another store. For another store, add its jar with its JobStore and LeaseProvider beans to the class path."
                            .formatted(Printable.of(name), JDBC, MEMORY));
        }
    }

    /** Finds the fault at start, even if beans are created lazily. */
    @Bean
    static LazyInitializationExcludeFilter delayJobAbsenceIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(UnservedHandlers.class, DelayJobProperties.class);
    }
}
