package io.delayjob.benchmarks.races;

import io.delayjob.wheel.TimingWheel;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Contains a timing wheel for races between threads. The time of this wheel does not advance. Each race decides which
 * of its threads polls the wheel. This class records the results.
 */
class VirtualWheel {

    final AtomicInteger fired = new AtomicInteger();
    final AtomicInteger wakeUps = new AtomicInteger();
    final TimingWheel wheel = TimingWheel.builder(() -> 0).polledByOwner(wakeUps::incrementAndGet);

    /**
     * A thread writes this field without synchronization before it schedules a timer. The timer's task must see the
     * value of this field.
     */
    int written;

    void fire() {
        fired.incrementAndGet();
    }
}
