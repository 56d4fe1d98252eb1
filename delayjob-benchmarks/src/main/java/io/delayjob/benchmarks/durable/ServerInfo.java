package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** @param cpuMicros CPU time of all threads of the server */
record ServerInfo(long memoryBytes, double cpuMicros) {

    static ServerInfo read(RedisURI server) {
        String info = info(server);
        return new ServerInfo(
                Long.parseLong(value(info, "used_memory")),
                (Double.parseDouble(value(info, "used_cpu_user")) + Double.parseDouble(value(info, "used_cpu_sys")))
                        * 1e6);
    }

    /** The text contains the memory allocator, because the CPU time of the server depends on the allocator. */
    static String describe(RedisURI server) {
        String info = info(server);
        return "Redis %s, allocator %s".formatted(value(info, "redis_version"), value(info, "mem_allocator"));
    }

    private static String info(RedisURI server) {
        RedisClient client = RedisClient.create(server);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().info();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static String value(String info, String field) {
        Matcher line = Pattern.compile("(?m)^" + field + ":(\\S+)").matcher(info);
        if (!line.find()) {
            throw new IllegalStateException("INFO of Redis has no %s: %s".formatted(field, info));
        }
        return line.group(1);
    }
}
