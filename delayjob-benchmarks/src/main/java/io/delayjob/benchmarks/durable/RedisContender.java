package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue of delayed jobs in Redis, with the settings that its documentation recommends for throughput. Stateless. */
interface RedisContender {

    interface Instance extends AutoCloseable {

        /** Uses the contender's own method for many jobs, and returns when Redis has stored them. */
        void write(int count, Duration delay) throws Exception;

        /**
         * @return number of starts of jobs
         * @throws IllegalStateException if the jobs have not ended in time
         */
        long drain(int count, Duration patience) throws Exception;

        @Override
        void close();
    }

    /** @param server address of an empty Redis server */
    Instance open(RedisURI server) throws Exception;

    String configuration();

    /** BullMQ is included only if the directory of its package is given. */
    static Map<String, RedisContender> all(@Nullable String bullMq) {
        Map<String, RedisContender> all = new LinkedHashMap<>();
        all.putAll(RedisDelayJobContender.all(10_000));
        all.put("redisson", new RedissonContender());
        if (bullMq != null) {
            all.put("bullmq", new BullMqContender(bullMq));
        }
        return all;
    }
}
