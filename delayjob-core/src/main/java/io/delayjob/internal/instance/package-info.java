/**
 * This instance among the others: {@link io.delayjob.internal.instance.Membership} registers it, has its heart beat, watches for
 * hearts that have stopped, and brings the news of what is paused and what is to be cancelled.
 */
@NullMarked
package io.delayjob.internal.instance;

import org.jspecify.annotations.NullMarked;
