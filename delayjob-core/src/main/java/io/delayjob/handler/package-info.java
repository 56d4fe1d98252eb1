/**
 * The seam to the application's code: what a handler is, what it sees of its job, what it may answer, and how its
 * arguments become a payload and back.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
