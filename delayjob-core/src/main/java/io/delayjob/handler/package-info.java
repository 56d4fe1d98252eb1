/** The types between the engine and the application's handlers: settings, parameters, return values and payloads. */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
