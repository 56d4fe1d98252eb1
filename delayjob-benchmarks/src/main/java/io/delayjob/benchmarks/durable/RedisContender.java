package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A queue of delayed jobs in Redis, set up as its documentation recommends for throughput. Stateless. */
interface RedisContender {

    /** One instance, which does not run jobs yet. */
    interface Instance extends AutoCloseable {

        /** Schedules many jobs by the contender's own method for many jobs, and returns when Redis has them. */
        void write(int count, Duration delay) throws Exception;

        /**
         * Runs jobs until this number of jobs have ended durably.
         *
         * @return number of starts
         * @throws IllegalStateException if they have not ended in time
         */
        long drain(int count, Duration patience) throws Exception;

        @Override
        void close();
    }

    /** @param server address of an empty Redis */
    Instance open(RedisURI server) throws Exception;

    /** Describes its configuration in one line. */
    String configuration();

    /** Returns all contenders by name. BullMQ is among them only if the directory of its package is given. */
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
