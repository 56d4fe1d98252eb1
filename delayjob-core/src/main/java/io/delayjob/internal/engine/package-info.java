/**
 * Contains the classes that connect the components of the engine. {@link io.delayjob.internal.engine.EngineRun}
 * connects the components through which a job passes. {@link io.delayjob.internal.engine.EngineParts} contains the
 * parts that the application supplies.
 */
@NullMarked
package io.delayjob.internal.engine;

import org.jspecify.annotations.NullMarked;
