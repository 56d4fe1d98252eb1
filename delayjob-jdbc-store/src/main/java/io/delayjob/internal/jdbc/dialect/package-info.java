/**
 * The SQL of each transition, which differs between databases. A {@link io.delayjob.internal.jdbc.dialect.Dialect} only
 * returns statements, and never runs them.
 */
@NullMarked
package io.delayjob.internal.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
