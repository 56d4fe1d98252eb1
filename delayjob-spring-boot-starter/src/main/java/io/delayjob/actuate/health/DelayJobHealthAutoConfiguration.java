package io.delayjob.actuate.health;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobStoresAutoConfiguration;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.DelayJobStores;
import io.delayjob.store.JobStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Configures the health indicator {@code delayJobs}. The indicator is not part of the liveness group, because a restart
 * does not repair a database.
 */
@AutoConfiguration(after = {DelayJobAutoConfiguration.class, DelayJobStoresAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(DelayJobEngine.class)
@ConditionalOnEnabledHealthIndicator("delayjobs")
public final class DelayJobHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(
            name = {"delayJobsHealthIndicator", "delayJobsHealthContributor"},
            value = DelayJobStores.class)
    DelayJobsHealthIndicator delayJobsHealthIndicator(DelayJobEngine engine, JobStore store, EngineSettings settings) {
        return indicator(engine, store, settings);
    }

    @Bean
    @ConditionalOnBean(DelayJobStores.class)
    @ConditionalOnMissingBean(name = {"delayJobsHealthIndicator", "delayJobsHealthContributor"})
    CompositeHealthContributor delayJobsHealthContributor(DelayJobStores stores) {
        Map<String, HealthIndicator> indicators = new LinkedHashMap<>();
        stores.all()
                .forEach(store ->
                        indicators.put(store.name(), indicator(store.engine(), store.store(), store.settings())));
        return CompositeHealthContributor.fromMap(indicators);
    }

    private static DelayJobsHealthIndicator indicator(DelayJobEngine engine, JobStore store, EngineSettings settings) {
        return new DelayJobsHealthIndicator(
                engine::status, store, settings.cluster().leaseDuration());
    }
}
