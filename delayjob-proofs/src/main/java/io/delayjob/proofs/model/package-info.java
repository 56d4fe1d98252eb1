/**
 * The protocol as a model in TLA+. TLC visits all states of the model.
 *
 * <p>The modules of the model are in the resources, beside this package. {@code Jobs.tla} says which attempt may start
 * and which outcome counts. {@code Silence.tla} says which instance may be removed as lost. {@code Leases.tla} says
 * which instance leads. {@code Progress.tla} says that every committed job ends. {@code Limits.tla} says which jobs may
 * run at the same time. {@code Rates.tla} says how many attempts of a key start. {@code Groups.tla} says when a group
 * ends in a database.
 */
@NullMarked
package io.delayjob.proofs.model;

import org.jspecify.annotations.NullMarked;
