package io.delayjob.jdbc.dialect;

/**
 * A transition that writes its rows at once instead of locking them first. This halves the work. A separate lock would
 * also write to the row and to the database's log, just like the change itself. If another transaction has locked a
 * row, the transition waits only some milliseconds. If the row is still locked after that, the transition's transaction
 * ends with an error. The store then repeats the work with the transition that skips locked rows. The statements
 * contain their own settings and need no {@link Dialect#guard()}. These settings also decide whether the server makes a
 * new plan for each run. Therefore the driver may keep the statements prepared.
 *
 * @param batch script for a batch
 * @param few script for a batch of at most {@value #FEW} rows. The server may keep its plan, because a new plan would
 *     take longer than the statement itself
 * @param one script for one job, with one parameter for each value
 */
public record Straight(Script batch, Script few, Script one) {

    /** The script {@code few} is used for at most this number of rows. */
    public static final int FEW = 50;
}
