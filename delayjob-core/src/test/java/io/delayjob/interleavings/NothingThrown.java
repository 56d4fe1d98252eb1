package io.delayjob.interleavings;

import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * A verifier for subjects that check themselves. It accepts every result, but no exception, because Lincheck treats an
 * exception as a result.
 */
public final class NothingThrown implements Verifier {

    /** The constructor that Lincheck calls. */
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
