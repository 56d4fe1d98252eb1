package io.delayjob.proofs.chaos;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * In a cluster the replicas of two masters take over, by the votes of the other masters. Then the whole cluster
 * crashes.
 */
@Tag("full")
@Isolated("a replica has only a fraction of a second to confirm a write")
class RedisClusterFailoverChaosTest extends FailoverContract {

    @Override
    RoundServer start(int waitReplicas) {
        return RedisClusterRoundServer.start(waitReplicas);
    }

    @Override
    FaultPlan plan() {
        return new FaultPlan(List.of(
                step(1_000, FaultKind.FAILOVER, 700),
                step(12_000, FaultKind.KILL, 0),
                step(19_000, FaultKind.FAILOVER, 400),
                step(32_000, FaultKind.RESTART, 300)));
    }
}
