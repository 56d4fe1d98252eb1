package io.delayjob.benchmarks.durable;

import java.util.List;

record Figure(String pattern, double value) {

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
