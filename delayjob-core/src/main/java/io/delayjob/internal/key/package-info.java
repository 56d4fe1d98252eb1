/**
 * Decides whether this instance may claim a row with a key now. {@code Gates} contains the keys about which this
 * instance decides. {@code Mutexes} tells which mutexes are free. {@code KeyRates} tells which rate keys have a token.
 */
@NullMarked
package io.delayjob.internal.key;

import org.jspecify.annotations.NullMarked;
