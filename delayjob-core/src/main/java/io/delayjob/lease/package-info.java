/**
 * Who leads a partition, and until when. A lease gives speed, never safety: it decides who preloads, not who runs.
 */
@NullMarked
package io.delayjob.lease;

import org.jspecify.annotations.NullMarked;
