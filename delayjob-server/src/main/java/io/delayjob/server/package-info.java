/** The delayjob server, an application without its own handlers. Its jobs call the configured targets. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
