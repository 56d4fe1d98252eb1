/**
 * The differences between databases: the SQL of each transition, and nothing else. A {@link
 * io.delayjob.jdbc.dialect.Dialect} returns statements; it never runs one.
 */
@NullMarked
package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
