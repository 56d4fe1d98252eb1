package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts the engines of several stores, and offers operations that choose a store for each call. */
@Configuration(proxyBeanMethods = false)
public class DelayJobStoresConfiguration {

    @Bean
    StoresLifecycle delayJobStoresLifecycle(DelayJobStores stores, DelayJobThreads threads) {
        return new StoresLifecycle(
                stores.all().stream()
                        .filter(store -> !store.name().equals(DelayJobStores.DEFAULT))
                        .toList(),
                threads);
    }

    @Bean
    @ConditionalOnMissingBean(DelayJobOperations.class)
    DelayJobTemplate delayJobTemplate(ObjectProvider<DelayJobStores> stores) {
        return new DelayJobTemplate(() -> stores.getObject().operations());
    }

    /** Jobs must run even if beans are created lazily. */
    @Bean
    static LazyInitializationExcludeFilter delayJobStoresAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(StoresLifecycle.class);
    }
}
