package io.delayjob.test;

/** The base interface of all parts of the contract, which is the test suite for stores. */
interface GivenStore {

    /** Returns the store under test; each test gets a new store. */
    StoreScenario given();
}
