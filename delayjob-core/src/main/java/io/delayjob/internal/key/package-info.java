/**
 * If a row has a key, this package decides whether this instance may claim the row now. {@code Gates} knows the keys
 * about which this instance decides. {@code Mutexes} knows which mutexes are free, and {@code KeyRates} knows which
 * rate keys have a token.
 */
@NullMarked
package io.delayjob.internal.key;

import org.jspecify.annotations.NullMarked;
