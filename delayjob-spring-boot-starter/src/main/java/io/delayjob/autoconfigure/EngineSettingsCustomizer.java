package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;

/** Changes the settings of the engine that come from the properties. Beans of this type are called in their order. */
@FunctionalInterface
public interface EngineSettingsCustomizer {

    /** Returns the settings to use. The argument contains the changes of earlier customizers. */
    EngineSettings customize(EngineSettings settings);
}
