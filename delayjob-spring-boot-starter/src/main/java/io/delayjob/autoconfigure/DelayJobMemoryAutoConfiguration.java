package io.delayjob.autoconfigure;

import io.delayjob.lease.LeaseProvider;
import io.delayjob.memory.MemoryJobStore;
import io.delayjob.store.JobStore;
import io.delayjob.time.StoreClock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Keeps jobs in memory with {@code delayjob.store=memory}. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "delayjob.store", havingValue = "memory")
@EnableConfigurationProperties(DelayJobProperties.class)
public final class DelayJobMemoryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(JobStore.class)
    MemoryJobStore delayJobStore(DelayJobProperties properties) {
        return new MemoryJobStore(StoreClock::wallMicros, properties.payload().maxReadBytes());
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseProvider delayJobLeases() {
        return new LocalLeases();
    }
}
