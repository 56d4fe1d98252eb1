/**
 * Decides which known job is claimed next, and how many more jobs may be claimed. {@code Tickets} contains the newest
 * {@code Ticket} of each job. A {@code Lane} contains the jobs of one handler and queue. {@code Slots} divides the
 * slots of a queue among its lanes. A {@code Gate} contains the rows that must wait because of their key. The monitor
 * of {@code Tickets} is the only lock of the packages {@code lane}, {@code limit}, {@code key} and {@code dispatch}.
 */
@NullMarked
package io.delayjob.internal.lane;

import org.jspecify.annotations.NullMarked;
