/**
 * Targets are handlers that an application configures instead of writing them itself. A module contributes a {@code
 * TargetKind}, and an application may declare a {@code Target}.
 */
@NullMarked
package io.delayjob.target;

import org.jspecify.annotations.NullMarked;
