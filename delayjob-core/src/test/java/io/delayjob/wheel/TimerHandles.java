package io.delayjob.wheel;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Handles of three timers, one due each tick: whatever threads do with them, they see what they would have seen had they done
 * it one after the other. (Were two due at a tick, it could be seen that a poll fires them one by one.)
 *
 * <p>Public, as is all that Lincheck calls.
 */
@Param(name = "timer", gen = IntGen.class, conf = "0:2")
public class TimerHandles {

    private static final int NONE = -1;

    private final AtomicLong clock = new AtomicLong();
    private final AtomicInteger fired = new AtomicInteger(NONE);
    private final TimingWheel wheel =
            TimingWheel.builder(clock::get).tick(Duration.ofNanos(1)).polledByOwner(() -> {});
    private final Timeout<?>[] handles = new Timeout<?>[3];

    public TimerHandles() {
        handles[1] = timer(1);
        handles[2] = timer(2);
        wheel.poll();
        handles[0] = timer(0); // not in its slot yet
    }

    private Timeout timer(int number) {
        return wheel.scheduleAt(() -> fired.set(number), number + 1);
    }

    @Operation
    public boolean cancel(@Param(name = "timer") int number) {
        return handles[number].cancel();
    }

    @Operation
    public boolean isPending(@Param(name = "timer") int number) {
        return handles[number].isPending();
    }

    /** Answers which timer fired. */
    @Operation(nonParallelGroup = "poller")
    public int tick() {
        clock.incrementAndGet();
        fired.set(NONE);
        wheel.poll();
        return fired.get();
    }
}
