package io.delayjob.benchmarks.wheel;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * The measurements of one timer in one part of the table, by name. JMH itself would add up the secondary results of the
 * iterations. This class keeps the result of each iteration.
 */
record Cell(Map<String, double[]> measurements) {

    /** Name of JMH's primary result, for benchmarks without secondary results. */
    static final String SCORE = "score";

    static Cell of(Collection<RunResult> results) {
        List<IterationResult> iterations = results.stream()
                .flatMap(result -> result.getBenchmarkResults().stream())
                .map(BenchmarkResult::getIterationResults)
                .flatMap(Collection::stream)
                .toList();
        Map<String, double[]> measurements = new TreeMap<>();
        for (String name : iterations.get(0).getSecondaryResults().keySet()) {
            measurements.put(
                    name, scores(iterations, one -> one.getSecondaryResults().get(name)));
        }
        if (measurements.isEmpty()) {
            measurements.put(SCORE, scores(iterations, IterationResult::getPrimaryResult));
        }
        return new Cell(measurements);
    }

    private static double[] scores(List<IterationResult> iterations, Function<IterationResult, Result<?>> which) {
        return sorted(iterations.stream().map(which).mapToDouble(Result::getScore));
    }

    private static double[] sorted(DoubleStream values) {
        return values.sorted().toArray();
    }

    Estimate estimate(String name) {
        return Estimate.of(Objects.requireNonNull(measurements.get(name), name));
    }

    List<String> toLines() {
        return measurements.entrySet().stream()
                .map(one -> one.getKey()
                        + Arrays.stream(one.getValue())
                                .mapToObj(value -> " " + value)
                                .collect(Collectors.joining()))
                .toList();
    }

    static Cell ofLines(List<String> lines) {
        Map<String, double[]> measurements = new TreeMap<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            measurements.put(words[0], sorted(Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble)));
        }
        return new Cell(measurements);
    }

    @Override
    public String toString() {
        return measurements.keySet().stream()
                .map(name -> (name.equals(SCORE) ? "" : name + " ") + estimate(name))
                .collect(Collectors.joining(" | "));
    }
}
