package io.delayjob.test;

/** The base interface of all parts of the contract, which is the test suite for stores. */
interface GivenStore {

    /** Each test gets a new store. */
    StoreScenario given();
}
