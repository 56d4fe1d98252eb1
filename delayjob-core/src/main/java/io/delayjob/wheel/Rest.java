package io.delayjob.wheel;

/**
 * The time until which the polling thread needs no new poll.
 *
 * @param began the time of the last poll
 * @param endTick the next tick at which there is something to do
 */
record Rest(Moment began, boolean isOver, boolean isForEver, long endTick) {

    static Rest over(Moment began) {
        return new Rest(began, true, false, 0);
    }

    static Rest forEver(Moment began) {
        return new Rest(began, false, true, 0);
    }

    static Rest until(Moment began, long endTick) {
        return new Rest(began, false, false, endTick);
    }

    boolean outlasts(long tick) {
        return isForEver || (!isOver && endTick - tick > 0);
    }
}
