package io.delayjob.test.autoconfigure;

import static io.delayjob.test.DelayJobAssertions.assertThat;

import io.delayjob.test.DelayJobTester;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Fails a test in virtual time if a call of {@code schedule(…)} was never given a time. */
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
