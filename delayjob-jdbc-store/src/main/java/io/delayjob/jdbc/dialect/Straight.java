package io.delayjob.jdbc.dialect;

/**
 * A transition that writes its rows at once instead of locking them first. Such a transition is half the work, because
 * a lock is also written to the row and to the database's log. If another transaction has locked a row, the transition
 * waits only milliseconds. Then its transaction ends with an error, and is repeated with the transition that skips
 * locked rows. The statements contain their own settings and need no {@link Dialect#guard()}. The server may keep their
 * plans.
 *
 * @param batch script for a batch
 * @param few script for a batch of at most {@value #FEW} rows, for which making a plan would take longer than running
 *     it
 * @param one script for one job, with one parameter for each value
 */
public record Straight(Script batch, Script few, Script one) {

    /** Maximum number of rows that are few. */
    public static final int FEW = 50;
}
