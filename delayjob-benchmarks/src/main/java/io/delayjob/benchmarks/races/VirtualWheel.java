package io.delayjob.benchmarks.races;

import io.delayjob.wheel.TimingWheel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A wheel whose time stands still, for races. A race decides which thread polls the wheel, and the wheel records the
 * results.
 */
class VirtualWheel {

    final AtomicInteger fired = new AtomicInteger();
    final AtomicInteger wakeUps = new AtomicInteger();
    final TimingWheel wheel = TimingWheel.builder(() -> 0).polledByOwner(wakeUps::incrementAndGet);

    /** Written without synchronization before a timer is scheduled. The timer's task must see this value. */
    int written;

    void fire() {
        fired.incrementAndGet();
    }
}
