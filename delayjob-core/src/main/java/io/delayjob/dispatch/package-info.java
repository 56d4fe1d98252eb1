/**
 * From due to done: due rows gather per handler in {@link io.delayjob.dispatch.Lanes}, are claimed in batches by the
 * {@link io.delayjob.dispatch.Claimer}, and each becomes an attempt on a worker.
 */
@NullMarked
package io.delayjob.dispatch;

import org.jspecify.annotations.NullMarked;
