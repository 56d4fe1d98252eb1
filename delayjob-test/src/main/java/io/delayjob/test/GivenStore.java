package io.delayjob.test;

/** What each part of the contract builds on. */
interface GivenStore {

    /** The store under test, fresh for each test. */
    StoreScenario given();
}
