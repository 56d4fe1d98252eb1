/**
 * Decides whether this instance may claim a row with a key now. {@code Gates} knows the keys about which this instance
 * decides. {@code Mutexes} knows which mutexes are free. {@code KeyRates} knows which rate keys have a token.
 */
@NullMarked
package io.delayjob.internal.key;

import org.jspecify.annotations.NullMarked;
