package io.delayjob.autoconfigure;

import io.delayjob.settings.EngineSettings;

/** Has the last word on the engine's settings: beans of this type are asked in their order. */
@FunctionalInterface
public interface EngineSettingsCustomizer {

    /** The settings to use in place of those that the properties, and customizers before this one, made. */
    EngineSettings customize(EngineSettings settings);
}
