package io.delayjob.test;

import io.delayjob.DelayJobOperations;

/**
 * Entry points of assertions about jobs; import {@link #assertThat(DelayJobTester)} statically.
 *
 * <pre>{@code
 * assertThat(tester).hasDelayed(UnpaidOrders::cancel).withKey(42L).dueIn(ofMinutes(30));
 * assertThat(tester).hasFinished(UnpaidOrders::remind).once();
 * assertThat(tester).hasFailed("send-webhook").times(3);
 * assertThat(jobs).hasNoDelayed("purge-carts");
 * }</pre>
 */
public final class DelayJobAssertions {

    private DelayJobAssertions() {}

    /** Starts an assertion about the jobs of an engine under test. */
    public static TesterAssert assertThat(DelayJobTester tester) {
        return new TesterAssert(tester);
    }

    /** Starts an assertion about the jobs of any engine. The assertion selects jobs by handler name. */
    public static OperationsAssert assertThat(DelayJobOperations jobs) {
        return new OperationsAssert(jobs);
    }
}
