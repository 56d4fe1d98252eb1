/** From the end of an attempt to the row's next state: decided in one place, written in batches, fenced by the token. */
@NullMarked
package io.delayjob.complete;

import org.jspecify.annotations.NullMarked;
