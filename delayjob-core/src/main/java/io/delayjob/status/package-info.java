/** The state of an engine, which is read from its memory: {@link io.delayjob.status.EngineStatus}. */
@NullMarked
package io.delayjob.status;

import org.jspecify.annotations.NullMarked;
