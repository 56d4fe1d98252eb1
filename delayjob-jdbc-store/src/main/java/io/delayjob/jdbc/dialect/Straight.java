package io.delayjob.jdbc.dialect;

/**
 * A transition that writes its rows at once instead of locking them first. This is half the work, because a lock is
 * written to the row and to the database's log, too. It waits for a row that another transaction holds, but only for
 * milliseconds. Then its transaction ends with an error, and the transition that skips held rows takes over. Its
 * statements carry their own settings, need no {@link Dialect#guard()}, and their plans may be kept.
 *
 * @param batch takes a batch
 * @param one takes one job, whose values are bound one by one
 */
public record Straight(Script batch, Script one) {}
