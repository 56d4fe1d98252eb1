/**
 * HTTP targets. The jobs of an HTTP target call a configured URL. {@code HttpTargetKind} creates a handler from the
 * configuration of a target. {@code HttpTarget} makes one call. {@code Answered} tells what the status of the response
 * means for the job.
 */
@NullMarked
package io.delayjob.http;

import org.jspecify.annotations.NullMarked;
