/** A page for operators, served below the endpoint {@code delayjobs}. */
@NullMarked
package io.delayjob.dashboard;

import org.jspecify.annotations.NullMarked;
