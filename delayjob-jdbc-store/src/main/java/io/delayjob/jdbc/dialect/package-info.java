/**
 * The SQL of each transition, which differs between databases. A {@link io.delayjob.jdbc.dialect.Dialect} only returns
 * statements, and never runs them.
 */
@NullMarked
package io.delayjob.jdbc.dialect;

import org.jspecify.annotations.NullMarked;
