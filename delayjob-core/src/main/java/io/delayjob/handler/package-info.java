/**
 * The types between the engine and the application's handlers: handlers, their view of a job, their results, and the
 * conversion of arguments to a payload and back.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
