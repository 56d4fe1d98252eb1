package io.delayjob.actuate.metrics;

import io.delayjob.DelayJobEngine;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Configures observations of attempts if the application has an {@link ObservationRegistry}. */
@AutoConfiguration(
        after = DelayJobAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({DelayJobEngine.class, ObservationRegistry.class})
public final class DelayJobObservationAutoConfiguration {

    @Bean
    ObservedHandlers delayJobObservedHandlers(ObjectProvider<ObservationRegistry> registry) {
        return new ObservedHandlers(registry::getObject);
    }
}
