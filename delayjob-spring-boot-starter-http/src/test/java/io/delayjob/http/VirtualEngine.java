package io.delayjob.http;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobMemoryAutoConfiguration;
import io.delayjob.autoconfigure.DelayJobThreadsAutoConfiguration;
import io.delayjob.autoconfigure.EngineSettingsCustomizer;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.spring.DelayJobTemplate;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.test.DelayJobTester;
import io.delayjob.test.MemoryLeaseProvider;
import io.delayjob.test.VirtualClock;
import io.delayjob.test.VirtualProcess;
import io.delayjob.test.VirtualTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The engine in virtual time, in memory. It starts at the present time, because receivers compare timestamps to theirs.
 */
@Configuration(proxyBeanMethods = false)
class VirtualEngine {

    static ApplicationContextRunner contexts() {
        return new ApplicationContextRunner()
                .withUserConfiguration(VirtualEngine.class)
                .withConfiguration(AutoConfigurations.of(
                        DelayJobAutoConfiguration.class,
                        DelayJobMemoryAutoConfiguration.class,
                        DelayJobThreadsAutoConfiguration.class,
                        DelayJobHttpAutoConfiguration.class,
                        HttpClientAutoConfiguration.class,
                        ImperativeHttpClientAutoConfiguration.class,
                        RestClientAutoConfiguration.class))
                .withPropertyValues("delayjob.store=memory");
    }

    @Bean
    VirtualTime time() {
        return new VirtualTime(Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    @Bean
    VirtualClock delayJobClock(VirtualTime time) {
        return time.clock();
    }

    @Bean
    DelayJobThreads threads(VirtualTime time) {
        VirtualProcess process = time.process("test");
        return new DelayJobThreads(process, process.workers(), Runnable::run);
    }

    @Bean
    LeaseProvider leases(VirtualClock clock) {
        return new MemoryLeaseProvider(clock);
    }

    @Bean
    EngineSettingsCustomizer unhurried() {
        return DelayJobTester::unhurried;
    }

    @Bean
    DelayJobTester tester(VirtualTime time, DelayJobEngine engine, HandlerRegistry handlers, JobListeners listeners) {
        return new DelayJobTester(time, engine, handlers, listeners);
    }

    @Bean
    DelayJobTemplate operations(ObjectProvider<DelayJobTester> tester) {
        return new DelayJobTemplate(() -> tester.getObject().operations());
    }
}
