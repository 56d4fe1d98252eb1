package io.delayjob.actuate.metrics;

import io.delayjob.spring.DelayJobStores;
import io.micrometer.core.instrument.Tags;
import org.springframework.core.env.Environment;

/** Creates the tag {@code store}, which all meters have in an application with several stores. */
final class StoreTags {

    private StoreTags() {}

    static Tags of(String store) {
        return Tags.of("store", store);
    }

    static Tags ofDefault(Environment environment) {
        return DelayJobStores.areSeveral(environment) ? of(DelayJobStores.DEFAULT) : Tags.empty();
    }
}
