package io.delayjob.test.autoconfigure;

import static io.delayjob.test.DelayJobAssertions.assertThat;

import io.delayjob.test.DelayJobTester;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Makes a test fail if the test has called {@code schedule(…)} without stating a time for the job. This applies to
 * tests in virtual time.
 */
final class AbandonedSpecsListener extends AbstractTestExecutionListener {

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext()
                    .getBeanProvider(DelayJobTester.class)
                    .ifAvailable(tester -> assertThat(tester).hasNoAbandonedSpecs());
        }
    }
}
