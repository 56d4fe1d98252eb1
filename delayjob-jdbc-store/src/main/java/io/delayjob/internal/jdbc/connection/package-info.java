/** Time limits for the connections that the engine uses for its own work. */
@NullMarked
package io.delayjob.internal.jdbc.connection;

import org.jspecify.annotations.NullMarked;
