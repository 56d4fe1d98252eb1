/** This instance among the others: it registers, its heart beats, and it watches for hearts that have stopped. */
@NullMarked
package io.delayjob.instance;

import org.jspecify.annotations.NullMarked;
