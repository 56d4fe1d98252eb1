/**
 * Targets are handlers that are configured instead of written. {@code TargetHandlers} reads {@code delayjob.targets}
 * and creates a handler for each entry. A module contributes a {@code TargetKind}, and an application may declare a
 * {@code Target}.
 */
@NullMarked
package io.delayjob.target;

import org.jspecify.annotations.NullMarked;
