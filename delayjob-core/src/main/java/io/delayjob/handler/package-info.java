/**
 * The types between the engine and the application's handlers: a handler, what it sees of its job, what it returns, and
 * the conversion of arguments to a payload and back.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
