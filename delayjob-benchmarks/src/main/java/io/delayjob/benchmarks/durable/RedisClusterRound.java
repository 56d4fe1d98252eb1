package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.Comparison.Result;
import io.delayjob.redis.TestRedisCluster;
import io.delayjob.redis.TestRedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Runs due jobs on a Redis Cluster until all have ended. On one machine, the rate does not show how throughput grows
 * with the masters. So the round also reports each master's share of the CPU time.
 */
final class RedisClusterRound {

    private RedisClusterRound() {}

    static Result run(RedisDelayJobContender contender, int masters, int jobs, String fsync, Duration patience)
            throws Exception {
        try (TestRedisCluster cluster = TestRedisCluster.start(masters, "--appendonly", "yes", "--appendfsync", fsync);
                RedisContender.Instance instance = contender.openOnCluster(cluster.uris())) {
            double[] before = cpuMicros(cluster);
            long began = System.nanoTime();
            instance.write(jobs, Duration.ZERO);
            long starts = instance.drain(jobs, patience);
            double seconds = (System.nanoTime() - began) / 1e9;
            double[] spent = cpuMicros(cluster);
            for (int i = 0; i < masters; i++) {
                spent[i] -= before[i];
            }
            double sum = DoubleStream.of(spent).sum();
            double busiest = DoubleStream.of(spent).max().orElseThrow();
            List<Figure> figures = new ArrayList<>();
            figures.add(new Figure("%,.0f whole lives/s", jobs / seconds));
            figures.add(new Figure("CPU of all masters %.1f us per job", sum / jobs));
            figures.add(new Figure("the busiest master's CPU %.1f us per job", busiest / jobs));
            figures.add(new Figure("so at most %,.0f whole lives/s", jobs * 1e6 / busiest));
            for (double each : spent) {
                figures.add(new Figure("a master's share %.0f %%", 100 * each / sum));
            }
            return new Result(figures, starts - jobs, 0, 0);
        }
    }

    private static double[] cpuMicros(TestRedisCluster cluster) {
        return cluster.servers().stream()
                .map(TestRedisServer::uri)
                .mapToDouble(master -> ServerInfo.read(master).cpuMicros())
                .toArray();
    }
}
