/** Contains programs that try to break the promises of delayjob. */
@NullMarked
package io.delayjob.proofs;

import org.jspecify.annotations.NullMarked;
