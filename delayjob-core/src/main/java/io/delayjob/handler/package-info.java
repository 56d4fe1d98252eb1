/**
 * The boundary to the application's code: handlers, their view of a job, their results, and the conversion of arguments
 * to a payload and back.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
