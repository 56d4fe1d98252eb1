/** Lincheck as our tests use it: scenarios in a line of text, tried in all their interleavings, and mutants to be caught. */
package io.delayjob.interleavings;
