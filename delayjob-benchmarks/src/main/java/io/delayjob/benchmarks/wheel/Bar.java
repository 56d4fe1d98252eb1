package io.delayjob.benchmarks.wheel;

import static io.delayjob.benchmarks.wheel.Cell.SCORE;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The upper limit for a figure of our timer: a factor times a reference figure.
 *
 * @param reference finds the reference figure among the figures of all timers
 */
record Bar(Part part, String measurement, double factor, String against, Function<Results, Estimate> reference) {

    static final List<Bar> ALL = List.of(
            best(Part.SCHEDULE_BY_1, 1.0, SCORE),
            peer(Part.SCHEDULE_BY_1, 0.6, SCORE, "EXECUTOR"),
            best(Part.SCHEDULE_BY_2, 1.0, SCORE),
            peer(Part.SCHEDULE_BY_2, 0.6, SCORE, "EXECUTOR"),
            best(Part.CANCEL_10K, 1.0, SCORE),
            peer(Part.CANCEL_10K, 0.5, SCORE, "KAFKA"),
            best(Part.CANCEL_1M, 1.0, SCORE),
            peer(Part.CANCEL_1M, 0.5, SCORE, "KAFKA"),
            best(Part.CANCEL_10M, 1.0, SCORE),
            peer(Part.CANCEL_10M, 0.5, SCORE, "KAFKA"),
            best(Part.EXPIRY_10K, 1 / 1.5, SCORE),
            best(Part.EXPIRY_1M, 1 / 3.0, SCORE),
            best(Part.EXPIRY_10M, 1 / 3.0, SCORE),
            peer(Part.BURST, 1 / 3.0, "cpuPerTimer", "KAFKA"),
            amount(Part.MEMORY, 32, "bytesPerTimer"),
            best(Part.MEMORY, 1.1, "bytesPerTimer"),
            amount(Part.LATENESS_50K, 80, "p50"),
            amount(Part.LATENESS_50K, 200, "p99"),
            amount(Part.LATENESS_50K, 0, "early"),
            parkedThread(Part.LATENESS_1K, 1.15, "p50"),
            amount(Part.LATENESS_1K, 0, "early"),
            peer(Part.IDLE, 1.0, "cpuPerSecond", "NONE"));

    private static Bar best(Part part, double factor, String measurement) {
        return new Bar(
                part,
                measurement,
                factor,
                "the best",
                results -> part.timers().stream()
                        .filter(name -> !name.equals(Part.OURS) && !name.equals("NONE"))
                        .map(name -> results.estimate(name, measurement))
                        .min(Comparator.comparing(Estimate::median))
                        .orElseThrow());
    }

    private static Bar peer(Part part, double factor, String measurement, String name) {
        return new Bar(part, measurement, factor, name, results -> results.estimate(name, measurement));
    }

    private static Bar parkedThread(Part part, double factor, String measurement) {
        return new Bar(
                part, measurement, factor, "a parked thread", results -> results.estimate(Part.OURS, "parkedP50"));
    }

    private static Bar amount(Part part, double most, String measurement) {
        return new Bar(part, measurement, 1, Estimate.format(most), results -> new Estimate(most, most, most));
    }

    String judge(Map<Part, Results> all) {
        Results results = Objects.requireNonNull(all.get(part), part.name());
        Estimate ours = results.estimate(Part.OURS, measurement);
        Estimate most = reference.apply(results).times(factor);
        return "| %s, %s | at most %s%s | %s | %s | %s |"
                .formatted(
                        part.title(),
                        measurement,
                        factor == 1 ? "" : "%.2f x ".formatted(factor),
                        against,
                        ours,
                        most,
                        verdict(ours, most));
    }

    private String verdict(Estimate ours, Estimate most) {
        if (ours.high() <= most.low()) {
            return "met";
        } else if (factor == 1 && ours.low() <= most.high()) {
            return "met: a tie";
        } else if (ours.median() <= most.median()) {
            return "met, but the intervals overlap";
        }
        return "missed by %.0f %%".formatted(100 * (ours.median() / most.median() - 1));
    }
}
