/**
 * Which known job is next, and how many more may be claimed? {@code Tickets} has the newest {@code Ticket} of each
 * job. A {@code Lane} has the jobs of one handler and queue, and {@code Slots} lets the lanes of a queue take turns. A
 * {@code Gate} holds back rows with a key. The monitor of {@code Tickets} is the lock of this package, and of {@code
 * limit}, {@code key} and {@code dispatch}.
 */
@NullMarked
package io.delayjob.internal.lane;

import org.jspecify.annotations.NullMarked;
