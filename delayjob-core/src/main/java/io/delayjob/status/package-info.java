/**
 * What an engine tells about itself, from memory: {@link io.delayjob.status.EngineStatus}.
 */
@NullMarked
package io.delayjob.status;

import org.jspecify.annotations.NullMarked;
