package io.delayjob.store;

/** Says how exact a number of rows is. */
public enum Precision {
    /** The store has counted all rows. */
    EXACT,
    /** The number is a lower bound, at which the store stopped its count. */
    AT_LEAST,
    /** The number is an estimate. */
    ABOUT
}
