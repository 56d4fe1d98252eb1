/** The dashboard, which is a page for operators below the endpoint {@code delayjobs}. */
@NullMarked
package io.delayjob.dashboard;

import org.jspecify.annotations.NullMarked;
