package io.delayjob.benchmarks.wheel;

/**
 * A median, and the interval that contains the real median with a probability of 99 %. The ends of the interval are
 * measured values, so the estimate is valid for any distribution.
 */
record Estimate(double low, double median, double high) {

    private static final int FEWEST = 8;
    private static final double DOUBT = 0.01;

    static Estimate of(double[] sorted) {
        int count = sorted.length;
        if (count < FEWEST) {
            throw new IllegalArgumentException(
                    "Too few measurements (%d) for an interval of 99 %%: take %d or more".formatted(count, FEWEST));
        }
        int outside = outside(count);
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        return new Estimate(sorted[outside], median, sorted[count - 1 - outside]);
    }

    /**
     * Returns how many measurements may be left out at each end of the sorted list. Each measurement is below the real
     * median with a probability of one half, like a coin that shows heads. So the number of measurements below the
     * median follows the same distribution as the number of heads of so many coins.
     */
    private static int outside(int count) {
        double exactly = Math.pow(0.5, count);
        double fewer = 0;
        int heads = 0;
        while (2 * (fewer + exactly) <= DOUBT) {
            fewer += exactly;
            exactly *= (double) (count - heads) / (heads + 1);
            heads++;
        }
        return heads - 1;
    }

    Estimate times(double factor) {
        return new Estimate(low * factor, median * factor, high * factor);
    }

    @Override
    public String toString() {
        return "%s (%s - %s)".formatted(format(median), format(low), format(high));
    }

    /** Leaves out decimals after the third digit, because such decimals are noise. */
    static String format(double value) {
        double size = Math.abs(value);
        return (size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f").formatted(value);
    }
}
