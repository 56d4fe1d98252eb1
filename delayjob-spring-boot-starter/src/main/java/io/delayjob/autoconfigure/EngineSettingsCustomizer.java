package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;

/**
 * Changes the settings of the engine after delayjob has created them from the properties. Beans of this type are called
 * in their order.
 */
@FunctionalInterface
public interface EngineSettingsCustomizer {

    /**
     * Returns the settings to use. The argument contains the settings from the properties, as changed by earlier
     * customizers.
     */
    EngineSettings customize(EngineSettings settings);
}
