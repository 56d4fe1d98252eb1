package io.delayjob.benchmarks.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.delayjob.wheel.Timeout;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** If a timer is scheduled while the wheel is closed, the timer must be refused or cancelled. */
@JCStressTest
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "it has ended")
@Outcome(expect = FORBIDDEN, desc = "it waits for ever")
@State
public class ArrivalAgainstClose extends VirtualWheel {

    private @Nullable Timeout<?> timeout;

    @Actor
    public void schedule() {
        try {
            timeout = wheel.scheduleAt(this::fire, 1);
        } catch (RejectedExecutionException closed) {
            timeout = null;
        }
    }

    @Actor
    public void close() {
        wheel.close();
    }

    @Arbiter
    public void look(ZI_Result result) {
        result.r1 = timeout != null && timeout.isPending();
        result.r2 = wheel.size();
    }
}
