package io.delayjob.benchmarks.races;

import io.delayjob.wheel.TimingWheel;
import java.util.concurrent.atomic.AtomicInteger;

/** A wheel whose time stands still, polled by whom the race lets poll, and what came of it. */
class VirtualWheel {

    final AtomicInteger fired = new AtomicInteger();
    final AtomicInteger wakeUps = new AtomicInteger();
    final TimingWheel wheel = TimingWheel.builder(() -> 0).polledByOwner(wakeUps::incrementAndGet);

    /** Written without any care before a timer is scheduled: the timer's task must see it. */
    int written;

    void fire() {
        fired.incrementAndGet();
    }
}
