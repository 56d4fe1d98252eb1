package io.delayjob.benchmarks.durable;

import io.delayjob.benchmarks.durable.Comparison.Result;
import io.delayjob.redis.TestRedisServer;
import java.time.Duration;

/**
 * Measures how late delayjob starts jobs from Redis. The rate of the jobs is fixed, even if the engine is too slow.
 *
 * @param jobs number of jobs; the lateness of the first half is not measured
 * @param ahead time from the call that schedules a job to the job's due time
 */
record RedisLatenessRound(int jobs, int rate, Duration ahead) {

    Result run(RedisDelayJobContender contender, String fsync, Duration patience) throws Exception {
        Runs runs = new Runs(jobs, Duration.ZERO);
        try (TestRedisServer server = TestRedisServer.start("--appendonly", "yes", "--appendfsync", fsync);
                RedisDelayJobContender.Running instance = contender.open(server.uri(), runs)) {
            instance.start();
            Pace.keep(rate, jobs, () -> instance.schedule(ahead));
            runs.awaitEnds(ahead.plus(patience));
            return new Result(runs.latenesses().summary().figures(), runs.repeated(), runs.early(), 0);
        }
    }
}
