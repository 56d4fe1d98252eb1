/** The settings of an engine, with their defaults and limits: {@link io.delayjob.settings.EngineSettings}. */
@NullMarked
package io.delayjob.settings;

import org.jspecify.annotations.NullMarked;
