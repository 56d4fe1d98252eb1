package io.delayjob.benchmarks.durable;

import java.util.List;

/**
 * One figure that was measured.
 *
 * @param pattern how it is written
 */
record Figure(String pattern, double value) {

    /** The median of figures of one kind, the mean of the middle two if their number is even. */
    static Figure median(List<Figure> figures) {
        double[] sorted = figures.stream().mapToDouble(Figure::value).sorted().toArray();
        double middle = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return new Figure(figures.get(0).pattern, middle);
    }

    @Override
    public String toString() {
        return pattern.formatted(value);
    }
}
