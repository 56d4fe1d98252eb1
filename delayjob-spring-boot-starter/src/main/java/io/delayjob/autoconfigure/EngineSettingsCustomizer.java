package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;

/** Changes the engine's settings after the properties have been read. Beans of this type are called in their order. */
@FunctionalInterface
public interface EngineSettingsCustomizer {

    /** Returns the settings to use. The argument contains the changes of earlier customizers. */
    EngineSettings customize(EngineSettings settings);
}
