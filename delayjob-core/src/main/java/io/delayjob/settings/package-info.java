/**
 * The settings of an engine. {@link io.delayjob.settings.EngineSettings} contains all of them, with their defaults and
 * limits.
 */
@NullMarked
package io.delayjob.settings;

import org.jspecify.annotations.NullMarked;
