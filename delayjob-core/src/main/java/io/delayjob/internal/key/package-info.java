/**
 * May this row with a key be claimed here and now? {@code Gates} knows about which keys this instance decides, {@code
 * Mutexes} which mutexes are free, and {@code KeyRates} which keys of a rate have a token.
 */
@NullMarked
package io.delayjob.internal.key;

import org.jspecify.annotations.NullMarked;
