package io.delayjob.autoconfigure;

import io.delayjob.DelayJobEngine;
import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleWatch;
import io.delayjob.TraceSource;
import io.delayjob.event.JobListener;
import io.delayjob.event.JobListeners;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.internal.engine.EngineRandom;
import io.delayjob.lease.LeaseProvider;
import io.delayjob.settings.EngineSettings;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.spring.DelayJobConfiguration;
import io.delayjob.spring.DelayJobTemplate;
import io.delayjob.spring.DelayJobThreads;
import io.delayjob.spring.JacksonPayloadCodec;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.store.JobStore;
import io.delayjob.target.ConfiguredTargets;
import io.delayjob.target.Target;
import io.delayjob.target.TargetHandlers;
import io.delayjob.target.TargetKind;
import io.delayjob.target.TargetProperties;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import io.delayjob.wheel.TimingWheel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures the engine and the API for applications. The configuration needs a {@link JobStore} and a {@link
 * LeaseProvider}.
 */
@AutoConfiguration(
        after = {
            DelayJobJdbcAutoConfiguration.class,
            DelayJobMemoryAutoConfiguration.class,
            DelayJobRedisAutoConfiguration.class,
            DelayJobThreadsAutoConfiguration.class,
            JacksonAutoConfiguration.class
        })
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnBean({JobStore.class, LeaseProvider.class})
@EnableConfigurationProperties({DelayJobProperties.class, DelayJobAnswersProperties.class, TargetProperties.class})
@Import(DelayJobConfiguration.class)
@ImportRuntimeHints(DelayJobAutoConfiguration.WatchedSteps.class)
public final class DelayJobAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EngineRandom delayJobRandom() {
        return new EngineRandom();
    }

    @Bean
    @ConditionalOnMissingBean
    EngineSettings delayJobSettings(
            DelayJobProperties properties, EngineRandom random, ObjectProvider<EngineSettingsCustomizer> customizers) {
        EngineSettings settings = new SettingsFactory(random).settings(properties);
        for (EngineSettingsCustomizer customizer : customizers.orderedStream().toList()) {
            settings = customizer.customize(settings);
        }
        return settings;
    }

    @Bean
    @ConditionalOnRealTime
    SettingsWarnings delayJobSettingsWarnings(EngineSettings settings, ObjectProvider<LifecycleProperties> lifecycle) {
        LifecycleProperties properties = lifecycle.getIfAvailable();
        return new SettingsWarnings(settings, properties == null ? null : properties.getTimeoutPerShutdownPhase());
    }

    @Bean
    UnknownSettings delayJobUnknownSettings(ApplicationContext context) {
        return new UnknownSettings(context.getEnvironment(), context);
    }

    @Bean
    @ConditionalOnRealTime
    @ConditionalOnBooleanProperty(name = "delayjob.worker.enabled", matchIfMissing = true)
    WarmUp delayJobWarmUp(ApplicationContext context, JobStore store, EngineClock clock, DelayJobThreads threads) {
        return new WarmUp(context, store, clock, threads.workers());
    }

    @Bean
    @ConditionalOnMissingBean
    EngineClock delayJobClock(JobStore store) {
        return new StoreClock(store::clockMicros);
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerRegistry delayJobHandlers() {
        return new HandlerRegistry();
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadCodec delayJobPayloadCodec(ObjectProvider<JsonMapper> mapper) {
        return new JacksonPayloadCodec(
                mapper.getIfAvailable(() -> JsonMapper.builder().build()));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("delayjob.answers.secret")
    AnswerTickets delayJobAnswerTickets(DelayJobAnswersProperties properties) {
        String secret = Objects.requireNonNull(properties.secret());
        return InvalidSettingException.checked(
                "delayjob.answers", () -> new AnswerTickets(secret, properties.previousSecret(), properties.base()));
    }

    @Bean
    TargetHandlers delayJobTargets(
            TargetProperties properties,
            Environment environment,
            EngineSettings settings,
            ObjectProvider<TargetKind<?>> kinds,
            ObjectProvider<Target> targets) {
        return new TargetHandlers(
                new ConfiguredTargets(environment),
                properties.targets(),
                settings.attempts().retry(),
                kinds.orderedStream().toList(),
                targets.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    JobListeners delayJobListeners(ObjectProvider<JobListener> listeners) {
        return new JobListeners(listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    DelayJobEngine delayJobEngine(
            EngineSettings settings,
            JobStore store,
            LeaseProvider leases,
            HandlerRegistry handlers,
            PayloadCodec codec,
            EngineClock clock,
            DelayJobThreads threads,
            EngineRandom random,
            JobListeners listeners,
            ObjectProvider<TraceSource> traces,
            ObjectProvider<JobStoreCustomizer> customizers) {
        JobStore customized = store;
        for (JobStoreCustomizer customizer : customizers.orderedStream().toList()) {
            customized = customizer.customize(customized);
        }
        JobStore itsStore = customized;
        return InvalidSettingException.checked(
                "delayjob.payload.max-read-size",
                () -> DelayJobEngine.builder(settings, itsStore)
                        .leases(leases)
                        .handlers(handlers)
                        .codec(codec)
                        .clock(clock)
                        .agents(threads.agents())
                        .workers(threads.workers())
                        .random(random)
                        .listeners(listeners)
                        .traces(traces.getIfAvailable(() -> TraceSource.NONE))
                        .build());
    }

    @Bean
    @ConditionalOnMissingBean(DelayJobOperations.class)
    DelayJobTemplate delayJobTemplate(ObjectProvider<DelayJobEngine> engine) {
        return new DelayJobTemplate(() -> engine.getObject().operations());
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean(TimingWheel.class)
    TimingWheelFactoryBean timingWheel(EngineClock clock, EngineSettings settings, DelayJobThreads threads) {
        return new TimingWheelFactoryBean(clock, settings.preload().wheelTick(), threads.agents());
    }

    /**
     * Registers proxies for native images, because {@link io.delayjob.ScheduleWatch} creates proxies for these
     * interfaces.
     */
    static final class WatchedSteps implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            ScheduleWatch.STEPS.forEach(hints.proxies()::registerJdkProxy);
        }
    }
}
