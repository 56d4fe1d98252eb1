/**
 * The boundary to the application's code: handlers, what they see of their job, what they may return, and how their
 * arguments become a payload and back.
 */
@NullMarked
package io.delayjob.handler;

import org.jspecify.annotations.NullMarked;
