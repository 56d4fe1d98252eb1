/**
 * Time limits for the connections that the engine uses for its own work. These limits apply to every statement on such
 * a connection.
 */
@NullMarked
package io.delayjob.jdbc.connection;

import org.jspecify.annotations.NullMarked;
