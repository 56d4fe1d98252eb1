/**
 * Connects the parts: {@link io.delayjob.internal.engine.EngineRun} joins the stations of a job, and {@link
 * io.delayjob.internal.engine.EngineParts} carries the parts that an embedder gave.
 */
@NullMarked
package io.delayjob.internal.engine;

import org.jspecify.annotations.NullMarked;
