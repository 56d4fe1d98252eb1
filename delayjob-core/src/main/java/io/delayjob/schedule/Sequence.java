package io.delayjob.schedule;

import java.time.Instant;
import java.util.Optional;

/** Computes the times of a {@link Repeat} from a rule and its limits. All times are milliseconds since the epoch. */
record Sequence(Rule rule, Options options) {

    long first(long scheduledAt) {
        if (scheduledAt > Timeline.LAST) {
            return Timeline.NEVER;
        }
        Instant start = options.starting();
        return limited(start == null ? rule.next(scheduledAt, 0, scheduledAt) : rule.firstFrom(start.toEpochMilli()));
    }

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
        // Occurrences planned up to this time are due even with the maximum jitter.
        long horizon = Math.min(now, Timeline.LAST) - options.jitter().toMillis();
        Position last = lastDue(scheduledAt, new Position(run, planned), horizon);
        long following = next(scheduledAt, last.run(), last.planned());
        return policy == MisfirePolicy.RUN_ONCE
                ? merged(run, last, following <= horizon)
                : skipped(run, last, following, horizon - planned);
    }

    private static Misfire merged(int run, Position last, boolean undecided) {
        if (last.run() == run) {
            return new Misfire.Proceed();
        }
        return undecided
                ? new Misfire.Skipped(run, last.run() - 1, Optional.of(occurrence(last.run(), last.planned())))
                : new Misfire.Merged(run, last.run() - 1, last.run(), Instant.ofEpochMilli(last.planned()));
    }

    private static Misfire skipped(int run, Position last, long following, long late) {
        if (last.run() == run && late <= Misfire.TOLERANCE.toMillis()) {
            return new Misfire.Proceed();
        }
        return new Misfire.Skipped(
                run,
                last.run(),
                following == Timeline.NEVER ? Optional.empty() : Optional.of(occurrence(last.run() + 1, following)));
    }

    private static Occurrence occurrence(int run, long planned) {
        return new Occurrence(run, Instant.ofEpochMilli(planned));
    }

    /**
     * After {@link Misfire#MAX_LOOKAHEAD} steps, the rule jumps to the last occurrence, if the rule supports this. If
     * {@code times} is set, runs must be counted exactly, so the search stops after these steps.
     */
    private Position lastDue(long scheduledAt, Position from, long horizon) {
        Position last = from;
        for (int looks = 0; looks < Misfire.MAX_LOOKAHEAD; looks++) {
            last = leap(scheduledAt, last, horizon);
            long next = next(scheduledAt, last.run(), last.planned());
            if (next > horizon) {
                return last;
            }
            last = new Position(last.run() + 1, next);
        }
        return options.times() == null
                ? new Position(last.run(), rule.latest(last.planned(), Math.min(horizon, end())))
                : last;
    }

    /** Skips many occurrences by one division. */
    private Position leap(long scheduledAt, Position from, long horizon) {
        long until = Math.min(horizon, end());
        long time = until - from.planned();
        int runs = runs() - from.run();
        // Both may be negative: a run may take place early, and the schedule may have been changed to fewer runs.
        if (time < 1 || runs < 1) {
            return from;
        }
        Rule.Stride whole = rule.strideTo(origin(scheduledAt), from.planned(), until, runs);
        if (whole != null) {
            return from.after(1, whole);
        }
        Rule.Stride stride = rule.strideAfter(from.run());
        return stride == null ? from : from.after(Math.min(time / stride.millis(), runs / stride.runs()), stride);
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
        return allows(planned) ? planned : Timeline.NEVER;
    }

    boolean allows(long planned) {
        return planned <= end();
    }

    private long end() {
        Instant until = options.until();
        return until == null ? Timeline.LAST : until.toEpochMilli();
    }

    private record Position(int run, long planned) {

        Position after(long strides, Rule.Stride stride) {
            return new Position((int) (run + strides * stride.runs()), planned + strides * stride.millis());
        }
    }
}
