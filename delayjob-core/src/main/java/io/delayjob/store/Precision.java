package io.delayjob.store;

/** How exact a number of rows is. */
public enum Precision {
    /** All rows were counted. */
    EXACT,
    /** A lower bound: counting stopped at this number. */
    AT_LEAST,
    /** An estimate of the database, from its latest statistics. */
    ABOUT
}
