package io.delayjob.proofs.chaos;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;

/** The replica of a lone master takes over, twice. */
@Tag("full")
@Isolated("a replica has only a fraction of a second to confirm a write")
class RedisFailoverChaosTest extends FailoverContract {

    @Override
    RoundServer start(int waitReplicas) {
        return RedisRoundServer.startReplicated(waitReplicas);
    }

    @Override
    FaultPlan plan() {
        return new FaultPlan(List.of(
                step(1_000, FaultKind.FAILOVER, 700),
                step(7_000, FaultKind.KILL, 0),
                step(14_000, FaultKind.FAILOVER, 400)));
    }
}
