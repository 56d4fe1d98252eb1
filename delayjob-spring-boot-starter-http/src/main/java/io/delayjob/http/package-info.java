/**
 * HTTP targets: jobs that call a configured URL. {@code HttpTargetKind} makes a handler of a configuration, {@code
 * HttpTarget} makes one call, and {@code Answered} tells what its status means for the job.
 */
@NullMarked
package io.delayjob.http;

import org.jspecify.annotations.NullMarked;
