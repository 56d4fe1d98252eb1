/** Programs that try to break what delayjob promises. */
@NullMarked
package io.delayjob.proofs;

import org.jspecify.annotations.NullMarked;
