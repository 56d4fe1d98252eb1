package io.delayjob.store;

/** How good a number is that was counted for people. */
public enum Precision {
    /** It was counted to the end. */
    EXACT,
    /** A lower bound: counting stopped there. */
    AT_LEAST,
    /** An estimate of the database, as of its latest statistics. */
    ABOUT
}
