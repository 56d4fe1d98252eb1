/** What holds for a connection that the engine takes for itself, whoever runs the statements on it. */
@NullMarked
package io.delayjob.jdbc.connection;

import org.jspecify.annotations.NullMarked;
