package io.delayjob.test;

/** The base interface of all parts of the contract. */
interface GivenStore {

    /** Returns the store under test, which is new for each test. */
    StoreScenario given();
}
