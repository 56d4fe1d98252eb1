package io.delayjob.store;

/** Says how exact a number of rows is. */
public enum Precision {
    /** The store has counted all rows. */
    EXACT,
    /** The number is a lower bound. The store stopped its count at this number. */
    AT_LEAST,
    /** The number is an estimate of the database, from its latest statistics. */
    ABOUT
}
