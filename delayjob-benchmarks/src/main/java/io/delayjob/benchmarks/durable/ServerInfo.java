package io.delayjob.benchmarks.durable;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Facts that a Redis server reports about its process.
 *
 * @param memoryBytes memory that the server has allocated
 * @param cpuMicros CPU time of all its threads, in microseconds
 */
record ServerInfo(long memoryBytes, double cpuMicros) {

    static ServerInfo read(RedisURI server) {
        RedisClient client = RedisClient.create(server);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            String memory = connection.sync().info("memory");
            String cpu = connection.sync().info("cpu");
            return new ServerInfo(
                    (long) number(memory, "used_memory"),
                    (number(cpu, "used_cpu_user") + number(cpu, "used_cpu_sys")) * 1e6);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static double number(String info, String field) {
        Matcher line = Pattern.compile("(?m)^" + field + ":([\\d.]+)").matcher(info);
        if (!line.find()) {
            throw new IllegalStateException("INFO of Redis has no %s: %s".formatted(field, info));
        }
        return Double.parseDouble(line.group(1));
    }
}
