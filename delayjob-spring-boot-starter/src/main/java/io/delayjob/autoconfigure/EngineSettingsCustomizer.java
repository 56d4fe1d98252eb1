package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;

/**
 * Changes the engine's settings after they were made from the properties. Beans of this type are called in their order.
 */
@FunctionalInterface
public interface EngineSettingsCustomizer {

    /**
     * Returns the settings to use. The argument contains the settings from the properties and from earlier customizers.
     */
    EngineSettings customize(EngineSettings settings);
}
