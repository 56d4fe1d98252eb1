package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobProperties.StoreType;
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
 * Notices that there is no engine, though none was switched off. The properties are bound here, too, so that a store
 * that does not exist is refused rather than taken for none.
 */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(DelayJobEngine.class)
@EnableConfigurationProperties(DelayJobProperties.class)
public final class DelayJobAbsenceAutoConfiguration {

    @Bean
    UnservedHandlers delayJobUnservedHandlers(ConfigurableListableBeanFactory beans) {
        return new UnservedHandlers(beans);
    }

    /** Refused before any bean is made, because one that needs an engine would be blamed first. */
    @Bean
    static BeanFactoryPostProcessor delayJobStoreSetting(Environment environment) {
        return beans -> InvalidSettingException.checkChoice(environment, "delayjob.store", StoreType.values());
    }

    /** Found at start even where beans are made when they are first asked for. */
    @Bean
    static LazyInitializationExcludeFilter delayJobAbsenceIsNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(UnservedHandlers.class, DelayJobProperties.class);
    }
}
