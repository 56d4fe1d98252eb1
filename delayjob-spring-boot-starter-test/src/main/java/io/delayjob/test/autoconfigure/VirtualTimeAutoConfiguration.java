package io.delayjob.test.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobJdbcAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobStoresAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.autoconfigure.EngineSettingsCustomizer;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.spring.DelayJobTemplate;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.spring.SharedSurroundings;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.MemoryLeaseProvider;
import io.delayjob.test.VirtualClock;
import io.delayjob.test.VirtualProcess;
import io.delayjob.test.VirtualTime;
import java.time.Instant;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Replaces the clock, the threads and the leases of the engine by virtual ones. */
@AutoConfiguration(
        after = DelayJobStoresAutoConfiguration.class,
        before = {
            DelayJobAutoConfiguration.class,
            DelayJobJdbcAutoConfiguration.class,
            DelayJobMemoryAutoConfiguration.class,
            DelayJobThreadsAutoConfiguration.class
        })
final class VirtualTimeAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    VirtualTime delayJobVirtualTime(@Value("${delayjob.test.starting-at}") String start) {
        return new VirtualTime(Instant.parse(start));
    }

    @Bean
    VirtualClock delayJobVirtualClock(VirtualTime time) {
        return time.clock();
    }

    /** The thread that closes the application context also stops the engine. No other work runs at that time. */
    @Bean
    DelayJobThreads delayJobVirtualThreads(VirtualTime time) {
        VirtualProcess process = time.process("application under test");
        return new DelayJobThreads(process, process.workers(), Runnable::run);
    }

    @Bean
    LeaseProvider delayJobVirtualLeases(VirtualClock clock) {
        return new MemoryLeaseProvider(clock);
    }

    @Bean
    SharedSurroundings delayJobVirtualSurroundings(VirtualClock clock, LeaseProvider leases) {
        return new SharedSurroundings(clock, leases);
    }

    @Bean
    EngineSettingsCustomizer delayJobUnhurriedSettings() {
        return settings -> DelayJobTester.unhurried(settings).toBuilder()
                .incarnation(TestTables.incarnation(settings.incarnation()))
                .build();
    }

    @Bean
    DelayJobTester delayJobTester(
            VirtualTime time, DelayJobEngine engine, HandlerRegistry handlers, JobListeners listeners) {
        return new DelayJobTester(time, engine, handlers, listeners);
    }

    @Bean
    @ConditionalOnMissingBean(DelayJobOperations.class)
    DelayJobTemplate delayJobTemplate(ObjectProvider<DelayJobTester> tester) {
        return new DelayJobTemplate(() -> tester.getObject().operations());
    }
}
