package io.delayjob.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** If two threads each push a timer at the same time, both timers must fire. */
@JCStressTest
@Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "both fired")
@Outcome(expect = FORBIDDEN, desc = "one was lost")
@State
public class TwoArrivals extends VirtualWheel {

    @Actor
    public void schedule() {
        wheel.scheduleAt(this::fire, 0);
    }

    @Actor
    public void scheduleToo() {
        wheel.scheduleAt(this::fire, 0);
    }

    @Arbiter
    public void look(II_Result result) {
        wheel.poll();
        result.r1 = fired.get();
        result.r2 = wheel.size();
    }
}
