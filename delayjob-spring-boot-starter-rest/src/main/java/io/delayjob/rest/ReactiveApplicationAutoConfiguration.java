package io.delayjob.rest;

import io.delayjob.DelayJobOperations;
import io.delayjob.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Refuses the start of a WebFlux application, because the REST API would be missing there without any message. */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.REACTIVE)
@ConditionalOnBean(DelayJobOperations.class)
public final class ReactiveApplicationAutoConfiguration {

    ReactiveApplicationAutoConfiguration() {
        throw new InvalidConfigurationPropertyValueException(
                "spring.main.web-application-type",
                "reactive",
                "The REST API of delayjob needs Spring MVC: make the application a servlet application, or remove delayjob-spring-boot-starter-rest and let a delayjob-server on the same database have the API.");
    }
}
