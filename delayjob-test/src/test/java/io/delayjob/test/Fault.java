package io.delayjob.test;

/** A fault of one instance, or of the shared store, that lasts for a while. */
final class Fault {

    /** The kinds of faults. */
    enum Kind {
        /** Calls fail and are not applied. */
        FAILS,
        /** Calls are applied but fail, because the reply is lost. */
        LOSES_ANSWERS,
        /** Calls fail and are applied later, because the request was still under way. */
        APPLIES_LATER,
        /** Calls fail in any of these ways. */
        OUTAGE,
        /** Calls wait before and after they are applied. */
        SLOW,
        /** Writes are rolled back by a deadlock. */
        DEADLOCK,
        /** Writes fail, but reads do not. */
        READ_ONLY,
        /** The table of leases fails. Everything else works. */
        BROKEN_LEASES,
        /** The process dies between two calls. */
        CRASH,
        /** The process dies just before or after its write is applied. */
        CRASH_IN_CALL,
        /** The process stands still, as in a garbage collection or after SIGSTOP. */
        PAUSE,
        /** The process stands still, beginning just before or after its write is applied. */
        PAUSE_IN_CALL,
        /** The machine is suspended, so its monotonic clock stands still, too. */
        SUSPEND,
        /** The instance's wall clock is set. */
        CLOCK_STEP,
        /** The store's clock is set. */
        STORE_CLOCK_STEP,
        /** The instance stops, and its process ends. */
        STOP;

        /** Tells whether it is a fault of the link between an instance and the store. */
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
     * @param where the name of the instance, or of another place with the fault
     * @param share the share of the calls that it affects
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

    /** Extends the time of its effects, which may be longer than the fault itself. */
    void feltUntil(long nanos) {
        feltUntilNanos = Math.max(feltUntilNanos, nanos);
    }

    void tookEffect() {
        effects++;
    }

    boolean hasTakenEffect() {
        return effects > 0;
    }

    /** Tells whether it has had an effect since this time. */
    boolean wasFeltSince(long nanos) {
        return hasTakenEffect() && feltUntilNanos >= nanos;
    }

    @Override
    public String toString() {
        return "%s of %s from %.3f s to %.3f s, felt %d times"
                .formatted(kind, where, fromNanos / 1e9, feltUntilNanos / 1e9, effects);
    }
}
