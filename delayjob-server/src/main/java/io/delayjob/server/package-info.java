/**
 * The delayjob server, which is an application without its own handlers. The jobs of the server call the configured
 * targets.
 */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
