/**
 * The protocol as a model in TLA+, and TLC, which walks through all of its states.
 *
 * <p>The modules lie beside this package in the resources: {@code Jobs.tla} (whose attempt starts, and whose end of it
 * counts), {@code Silence.tla} (who may be given up for lost), {@code Leases.tla} (who leads) and {@code Progress.tla}
 * (that every committed job comes to its end).
 */
@NullMarked
package io.delayjob.proofs.model;

import org.jspecify.annotations.NullMarked;
