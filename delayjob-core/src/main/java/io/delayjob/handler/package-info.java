/**
 * The types between the engine and the application's handlers: the settings of a handler, its parameters, its return
 * value, and the conversion of arguments to a payload.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
