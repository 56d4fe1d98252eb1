/**
 * Targets: handlers that are configured instead of written. {@code TargetHandlers} reads {@code delayjob.targets} and
 * makes a handler of each entry; a module contributes a {@code TargetKind}, and an application a {@code Target}.
 */
@NullMarked
package io.delayjob.target;

import org.jspecify.annotations.NullMarked;
