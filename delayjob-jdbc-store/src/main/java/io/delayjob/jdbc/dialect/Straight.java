package io.delayjob.jdbc.dialect;

/**
 * A transition that writes its rows at once instead of locking them first. This halves the work: like each change, each
 * lock would be a write to the row and to the database's log. If another transaction has locked a row, the transition
 * waits only some milliseconds. If the row is still locked after that, the transition's transaction ends with an error.
 * The store then repeats the work with the transition that skips locked rows. The statements contain their own settings
 * and need no {@link Dialect#guard()}. The driver may keep these statements prepared, because their own settings decide
 * whether the server makes a new plan for each run.
 *
 * @param batch script for a batch
 * @param few script for a batch of at most {@value #FEW} rows. The server may keep its plan, because a new plan would
 *     take longer than the statement itself
 * @param one script for one job, with one parameter for each value
 */
public record Straight(Script batch, Script few, Script one) {

    /** Maximum number of rows for which the script {@code few} is used. */
    public static final int FEW = 50;
}
