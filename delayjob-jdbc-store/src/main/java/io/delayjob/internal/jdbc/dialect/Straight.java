package io.delayjob.internal.jdbc.dialect;

/**
 * A transition that writes its rows immediately and does not lock them first. This halves the work. If another
 * transaction has locked a row, the transition soon fails. The store then repeats the work with the transition that
 * skips locked rows. The statements contain their own settings and need no {@link Dialect#guard()}. The driver may keep
 * these statements prepared.
 *
 * @param batch script for a batch
 * @param few script for a batch of at most {@value #FEW} rows; the server may keep the plan of this script
 * @param one script for one job, with one parameter for each value
 */
public record Straight(Script batch, Script few, Script one) {

    /** Maximum number of rows for the script {@code few}. */
    public static final int FEW = 50;
}
