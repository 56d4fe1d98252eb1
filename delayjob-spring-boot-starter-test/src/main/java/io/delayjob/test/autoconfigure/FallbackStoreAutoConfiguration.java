package io.delayjob.test.autoconfigure;

import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobProperties;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.test.VirtualClock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Keeps jobs in memory if the tested application context has no database, as in most test slices. */
@AutoConfiguration(
        after = {DelayJobJdbcAutoConfiguration.class, DelayJobMemoryAutoConfiguration.class},
        before = DelayJobAutoConfiguration.class)
@EnableConfigurationProperties(DelayJobProperties.class)
final class FallbackStoreAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(JobStore.class)
    MemoryJobStore delayJobStore(VirtualClock clock, DelayJobProperties properties) {
        return new MemoryJobStore(clock::storeMicros, properties.payload().maxReadBytes());
    }
}
