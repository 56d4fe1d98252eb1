package io.delayjob.interleavings;

import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * For subjects that judge themselves: their results may be any, but no call may throw, which to Lincheck is a result like
 * others.
 */
public final class NothingThrown implements Verifier {

    /** As Lincheck calls it. */
    public NothingThrown(Class<?> sequentialSpecification) {}

    @Override
    public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
        return Stream.concat(
                        results.getInitResults().stream(),
                        results.getParallelResultsWithClock().stream()
                                .flatMap(List::stream)
                                .map(ResultWithClock::getResult))
                .noneMatch(ExceptionResult.class::isInstance);
    }
}
