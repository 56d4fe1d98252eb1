package io.delayjob.store;

/** The precision of a number of rows. */
public enum Precision {
    /** All rows were counted. */
    EXACT,
    /** A lower bound: counting stopped at this number. */
    AT_LEAST,
    /** An estimate of the database, from its latest statistics. */
    ABOUT
}
