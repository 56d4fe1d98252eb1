/**
 * The wiring: {@link io.delayjob.internal.engine.EngineRun} joins the stations of a job's way, and {@link
 * io.delayjob.internal.engine.EngineParts} carries what an embedder gave.
 */
@NullMarked
package io.delayjob.internal.engine;

import org.jspecify.annotations.NullMarked;
