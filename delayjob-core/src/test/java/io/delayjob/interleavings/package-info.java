/**
 * Runs Lincheck for our tests. It tries all interleavings of scenarios that are written as text, and must find the
 * faults of mutants.
 */
package io.delayjob.interleavings;
