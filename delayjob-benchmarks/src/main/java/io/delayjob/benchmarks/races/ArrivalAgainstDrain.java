package io.delayjob.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread pushes a timer to the inbox of the wheel while the other thread empties the inbox. The polling thread must
 * fire the timer, or know that it must poll again. The polling thread must see all fields of the timer.
 */
@JCStressTest
@Outcome(id = "0, 1, 7", expect = ACCEPTABLE, desc = "fired, or called for, and seen whole")
@Outcome(id = "1, .*, .*", expect = FORBIDDEN, desc = "the poller sleeps past it")
@Outcome(expect = FORBIDDEN, desc = "lost, or seen in part")
@State
public class ArrivalAgainstDrain extends VirtualWheel {

    private long rest;
    private volatile int seen;

    @Actor
    public void schedule() {
        written = 7;
        wheel.scheduleAt(this::see, 0);
    }

    private void see() {
        seen = written;
        fire();
    }

    @Actor
    public void poll() {
        rest = wheel.poll();
    }

    @Arbiter
    public void look(III_Result result) {
        boolean asleep = rest == Long.MAX_VALUE && wakeUps.get() == 0 && fired.get() == 0;
        result.r1 = asleep ? 1 : 0;
        wheel.poll();
        result.r2 = fired.get();
        result.r3 = seen;
    }
}
