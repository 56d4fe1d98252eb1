package io.delayjob.schedule;

import org.jspecify.annotations.Nullable;

record GrowingGaps(Growth growth) implements Rule {

    GrowingGaps {
        if (growth.limit().compareTo(growth.first()) < 0) {
            throw new IllegalArgumentException(
                    "Invalid limit (" + growth.limit() + "): must not be shorter than the first gap (" + growth.first()
                            + "); raise the limit or leave it out");
        }
    }

    @Override
    public long next(long origin, int run, long planned) {
        return planned + growth.gap(run + 1);
    }

    @Override
    public @Nullable Stride strideAfter(int run) {
        return growth.isConstantFrom(run + 1) ? new Stride(1, growth.gap(run + 1)) : null;
    }

    @Override
    public String toText() {
        return "growing:" + growth.toText();
    }
}
