package io.delayjob.wheel;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The handles of three timers, one of which is due at each tick. The results of calls must be the same as if threads
 * made their calls one after the other. If two timers were due at a tick, this would not hold, because a poll fires
 * them one by one.
 *
 * <p>Public, because Lincheck calls it.
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

    /** Polls once. Returns the number of the timer that fired. */
    @Operation(nonParallelGroup = "poller")
    public int tick() {
        clock.incrementAndGet();
        fired.set(NONE);
        wheel.poll();
        return fired.get();
    }
}
