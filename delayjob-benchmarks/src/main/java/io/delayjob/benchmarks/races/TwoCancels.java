package io.delayjob.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.delayjob.wheel.Timeout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two threads cancel the same timer. Exactly one of the two calls must end the timer, and the timer must not fire. */
@JCStressTest
@Outcome(
        id = {"true, false, 0", "false, true, 0"},
        expect = ACCEPTABLE,
        desc = "one of them cancelled it")
@Outcome(expect = FORBIDDEN, desc = "it ended twice, or not at all")
@State
public class TwoCancels extends VirtualWheel {

    private final Timeout<?> timeout = wheel.scheduleAt(this::fire, 0);

    @Actor
    public void cancel(ZZI_Result result) {
        result.r1 = timeout.cancel();
    }

    @Actor
    public void cancelToo(ZZI_Result result) {
        result.r2 = timeout.cancel();
    }

    @Arbiter
    public void look(ZZI_Result result) {
        wheel.poll();
        result.r3 = fired.get();
    }
}
