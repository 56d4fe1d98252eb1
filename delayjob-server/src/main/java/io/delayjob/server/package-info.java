/** The server: an application without handlers of its own, whose jobs call the configured targets. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
