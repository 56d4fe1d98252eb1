package io.delayjob.test;

/** Something that goes wrong for a while, with one instance or with the store that all share. */
final class Fault {

    /** What goes wrong. */
    enum Kind {
        /** Calls fail, and have done nothing. */
        FAILS,
        /** Calls are applied, and fail all the same: the answer is lost. */
        LOSES_ANSWERS,
        /** Calls fail, and are applied later: the request was still under way. */
        APPLIES_LATER,
        /** Calls fail in any of these ways. */
        OUTAGE,
        /** Calls wait before and after they are applied. */
        SLOW,
        /** Writes are rolled back by a deadlock. */
        DEADLOCK,
        /** Writes fail, reads do not. */
        READ_ONLY,
        /** The table of leases fails, all else works. */
        BROKEN_LEASES,
        /** The process dies, between two calls. */
        CRASH,
        /** The process dies before or after a write of its own is applied. */
        CRASH_IN_CALL,
        /** The process stands still: a collection of garbage, a SIGSTOP. */
        PAUSE,
        /** The process stands still from before or after a write of its own is applied. */
        PAUSE_IN_CALL,
        /** The machine is suspended: its monotonic clock stands still as well. */
        SUSPEND,
        /** The instance's wall clock is set. */
        CLOCK_STEP,
        /** The store's clock is set. */
        STORE_CLOCK_STEP,
        /** The instance is told to stop, and its process ends. */
        STOP;

        /** Whether it lies between an instance and the store. */
        boolean isOfLink() {
            return ordinal() <= BROKEN_LEASES.ordinal();
        }

        boolean isOfClocks() {
            return this == CLOCK_STEP || this == STORE_CLOCK_STEP;
        }
    }

    final Kind kind;
    final String where;
    final long fromNanos;
    private final double share;
    private final long untilNanos;
    private long feltUntilNanos;
    private int effects;

    /**
     * @param where the instance's name, or who else has it
     * @param share of the calls that it strikes
     */
    Fault(Kind kind, String where, long fromNanos, long untilNanos, double share) {
        this.kind = kind;
        this.where = where;
        this.fromNanos = fromNanos;
        this.untilNanos = untilNanos;
        this.feltUntilNanos = untilNanos;
        this.share = share;
    }

    double share() {
        return share;
    }

    boolean isOver(long nanos) {
        return nanos >= untilNanos;
    }

    long feltUntilNanos() {
        return feltUntilNanos;
    }

    /** It is felt until then, or longer, although it is over before. */
    void feltUntil(long nanos) {
        feltUntilNanos = Math.max(feltUntilNanos, nanos);
    }

    void tookEffect() {
        effects++;
    }

    boolean hasTakenEffect() {
        return effects > 0;
    }

    /** Whether it was felt at some time since then. */
    boolean wasFeltSince(long nanos) {
        return hasTakenEffect() && feltUntilNanos >= nanos;
    }

    @Override
    public String toString() {
        return "%s of %s from %.3f s to %.3f s, felt %d times"
                .formatted(kind, where, fromNanos / 1e9, feltUntilNanos / 1e9, effects);
    }
}
