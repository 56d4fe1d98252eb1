/** Rules for connections that the engine takes for itself. The limits apply to every statement on such a connection. */
@NullMarked
package io.delayjob.jdbc.connection;

import org.jspecify.annotations.NullMarked;
