package io.delayjob.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.delayjob.wheel.Timeout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** If one thread cancels a timer while the other fires it, exactly one must end the timer. */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "it was cancelled")
@Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "it fired")
@Outcome(expect = FORBIDDEN, desc = "it ended twice, or not at all")
@State
public class CancelAgainstFire extends VirtualWheel {

    private final Timeout<?> timeout = wheel.scheduleAt(this::fire, 0);

    @Actor
    public void cancel(ZI_Result result) {
        result.r1 = timeout.cancel();
    }

    @Actor
    public void poll() {
        wheel.poll();
    }

    @Arbiter
    public void look(ZI_Result result) {
        result.r2 = fired.get();
    }
}
