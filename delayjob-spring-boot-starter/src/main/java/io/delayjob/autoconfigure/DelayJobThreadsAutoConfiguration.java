package io.delayjob.autoconfigure;

import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.spring.DelayJobThreads;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskExecutor;

/**
 * Configures the threads of the engine. Each background role has a platform thread. Workers are virtual threads if the
 * application uses virtual threads.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(DelayJobThreads.class)
public final class DelayJobThreadsAutoConfiguration {

    @Bean
    EngineThreads delayJobEngineThreads() {
        return new EngineThreads();
    }

    @Bean
    DelayJobThreads delayJobThreads(EngineThreads threads, Environment environment) {
        if (!Threading.VIRTUAL.isActive(environment)) {
            return new DelayJobThreads(threads, threads.workers(), threads.workers());
        }
        TaskExecutor virtual = new SimpleAsyncTaskExecutorBuilder()
                .threadNamePrefix("delayjob-worker-")
                .virtualThreads(true)
                .build();
        return new DelayJobThreads(threads, virtual, threads.workers());
    }
}
