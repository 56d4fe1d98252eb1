package io.delayjob.schedule;

import java.time.Instant;
import java.util.Optional;

/** A rule within its limits: the arithmetic behind {@link Repeat}. Times are epoch milliseconds. */
record Sequence(Rule rule, Options options) {

    /** Run 1, or {@link Timeline#NEVER}. */
    long first(long scheduledAt) {
        if (scheduledAt > Timeline.LAST) {
            return Timeline.NEVER;
        }
        Instant start = options.starting();
        return limited(start == null ? rule.next(scheduledAt, 0, scheduledAt) : rule.firstFrom(start.toEpochMilli()));
    }

    /** Run {@code run + 1}, or {@link Timeline#NEVER}. */
    long next(long scheduledAt, int run, long planned) {
        if (run >= runs() || planned >= end() || scheduledAt > Timeline.LAST) {
            return Timeline.NEVER;
        }
        return limited(rule.next(origin(scheduledAt), run, planned));
    }

    boolean isFinite() {
        return runs() < Integer.MAX_VALUE || options.until() != null;
    }

    MisfirePolicy misfire() {
        MisfirePolicy stated = options.misfire();
        if (stated != null) {
            return stated;
        }
        return isFinite() ? MisfirePolicy.RUN_EACH : MisfirePolicy.RUN_ONCE;
    }

    Misfire judge(long scheduledAt, int run, long planned, long now) {
        MisfirePolicy policy = misfire();
        if (policy == MisfirePolicy.RUN_EACH) {
            return new Misfire.Proceed();
        }
        // Whatever is planned up to here has certainly come due, whatever jitter was drawn for it.
        long horizon = Math.min(now, Timeline.LAST) - options.jitter().toMillis();
        Position last = lastDue(scheduledAt, new Position(run, planned), horizon);
        if (policy == MisfirePolicy.RUN_ONCE) {
            return last.run() == run
                    ? new Misfire.Proceed()
                    : new Misfire.Merged(run, last.run() - 1, last.run(), Instant.ofEpochMilli(last.planned()));
        }
        boolean missed = last.run() > run || horizon - planned > Misfire.TOLERANCE.toMillis();
        return missed ? new Misfire.Skipped(run, last.run(), after(scheduledAt, last)) : new Misfire.Proceed();
    }

    private Position lastDue(long scheduledAt, Position from, long horizon) {
        Position last = from;
        for (int looks = 0; looks < Misfire.MAX_LOOKAHEAD; looks++) {
            last = leap(last, horizon);
            long next = next(scheduledAt, last.run(), last.planned());
            if (next > horizon) {
                return last;
            }
            last = new Position(last.run() + 1, next);
        }
        return last;
    }

    /** As many whole strides as fit before the horizon, before the end, and into the number of runs. */
    private Position leap(Position from, long horizon) {
        Rule.Stride stride = rule.strideAfter(from.run());
        long time = Math.min(horizon, end()) - from.planned();
        if (stride == null || time < stride.millis()) {
            return from;
        }
        long strides = Math.min(time / stride.millis(), (runs() - from.run()) / stride.runs());
        return new Position((int) (from.run() + strides * stride.runs()), from.planned() + strides * stride.millis());
    }

    private Optional<Occurrence> after(long scheduledAt, Position last) {
        long next = next(scheduledAt, last.run(), last.planned());
        return next == Timeline.NEVER
                ? Optional.empty()
                : Optional.of(new Occurrence(last.run() + 1, Instant.ofEpochMilli(next)));
    }

    private int runs() {
        Integer times = options.times();
        return times == null ? rule.runs() : Math.min(times, rule.runs());
    }

    private long origin(long scheduledAt) {
        Instant start = options.starting();
        return start == null ? scheduledAt : rule.origin(start.toEpochMilli());
    }

    private long limited(long planned) {
        return planned > end() ? Timeline.NEVER : planned;
    }

    private long end() {
        Instant until = options.until();
        return until == null ? Timeline.LAST : until.toEpochMilli();
    }

    private record Position(int run, long planned) {}
}
