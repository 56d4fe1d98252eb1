package io.delayjob.store;

/** Says how exact a count of rows is. */
public enum Precision {
    /** The store has counted all rows. */
    EXACT,
    /** The number is a lower bound, because the store stopped its count at this number. */
    AT_LEAST,
    /** The number is an estimate. */
    ABOUT
}
