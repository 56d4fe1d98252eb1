package org.apache.kafka.server.util.timer;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes Kafka's timing wheel usable with a clock that the caller provides. Kafka's own {@code SystemTimer} runs the
 * same wheel, but always reads the system clock.
 */
public final class ManualKafkaWheel {

    private static final int TICK_MILLIS = 1;
    private static final int SLOTS = 20;

    private final AtomicInteger count = new AtomicInteger();
    private final DelayQueue<TimerTaskList> slots = new DelayQueue<>();
    private final TimingWheel wheel = new TimingWheel(TICK_MILLIS, SLOTS, 0, count, slots);

    /** Adds a timer. */
    public void schedule(Runnable task, long deadlineMillis) {
        add(new TimerTaskEntry(
                new TimerTask(deadlineMillis) {
                    @Override
                    public void run() {
                        task.run();
                    }
                },
                deadlineMillis));
    }

    private void add(TimerTaskEntry entry) {
        if (!wheel.add(entry) && !entry.cancelled()) {
            entry.timerTask.run();
        }
    }

    /** Runs due tasks; returns the time of the next slot. */
    public long advance(long nowMillis) {
        TimerTaskList slot = slots.peek();
        while (slot != null && slot.getExpiration() <= nowMillis) {
            slots.remove(slot);
            wheel.advanceClock(slot.getExpiration());
            slot.flush(this::add);
            slot = slots.peek();
        }
        return slot == null ? Long.MAX_VALUE : slot.getExpiration();
    }

    @Override
    public String toString() {
        return "%d timers, next in %d ms"
                .formatted(count.get(), slots.isEmpty() ? -1 : slots.peek().getDelay(TimeUnit.MILLISECONDS));
    }
}
