package io.delayjob.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Checks at start whether a Redis server can keep jobs. In a cluster, each master is checked. All values are read by
 * INFO, because hosted servers often forbid CONFIG.
 */
final class RedisServerCheck {

    private static final Logger log = LoggerFactory.getLogger(RedisServerCheck.class);

    private static final int OLDEST_MAJOR = 7;

    private static final String NO_EVICTION = "noeviction";

    private final LettuceConnectionFactory connections;
    private final int waitReplicas;

    RedisServerCheck(LettuceConnectionFactory connections, int waitReplicas) {
        this.connections = connections;
        this.waitReplicas = waitReplicas;
    }

    void check() {
        try {
            masters().forEach(this::check);
        } catch (RedisConnectionFailureException | QueryTimeoutException away) {
            throw JobDatabaseException.redisUnreachable(away);
        } catch (DataAccessException refused) {
            throw JobDatabaseException.redisWithoutInfo(refused);
        }
    }

    private Map<String, Properties> masters() {
        Map<String, Properties> masters = new LinkedHashMap<>();
        if (connections.isClusterAware()) {
            try (RedisClusterConnection cluster = connections.getClusterConnection()) {
                for (RedisClusterNode node : cluster.clusterGetNodes()) {
                    if (node.isMaster() && !node.isMarkedAsFail()) {
                        masters.put(node.asString(), cluster.serverCommands().info(node));
                    }
                }
                // Just after a failover, other nodes may still report a replica as a master.
                masters.values().removeIf(info -> !isMaster(info));
            }
        } else {
            try (RedisConnection server = connections.getConnection()) {
                masters.put(address(), server.serverCommands().info());
            }
        }
        return masters;
    }

    private static boolean isMaster(Properties info) {
        return info.getProperty("role", "master").equals("master");
    }

    private String address() {
        return connections.isRedisSentinelAware()
                ? "the master that Sentinel names"
                : connections.getHostName() + ":" + connections.getPort();
    }

    void check(String server, Properties info) {
        String version = info.getProperty("redis_version", "");
        if (version.matches("\\d+\\..*") && Integer.parseInt(version.replaceFirst("\\..*", "")) < OLDEST_MAJOR) {
            throw JobDatabaseException.unfitRedis(
                    server,
                    "its version is %s, and delayjob needs %d.0 or later".formatted(version, OLDEST_MAJOR),
                    "Use Redis %d.0 or later, or Valkey.".formatted(OLDEST_MAJOR));
        }
        if (!isMaster(info)) {
            throw JobDatabaseException.unfitRedis(
                    server,
                    "it is a replica, which takes no writes",
                    "Name its master in spring.data.redis.*, or the Sentinels or the cluster that know the master.");
        }
        String policy = info.getProperty("maxmemory_policy", NO_EVICTION);
        if (!policy.equals(NO_EVICTION)) {
            throw JobDatabaseException.unfitRedis(
                    server,
                    "its maxmemory-policy is %s, so it may delete jobs when its memory is full".formatted(policy),
                    "Set maxmemory-policy noeviction on that server. If it is a cache, keep the jobs on another server, and mark its LettuceConnectionFactory with @DelayJobRedis.");
        }
        if (info.getProperty("aof_enabled", "1").equals("0")) {
            log.warn(
                    "Redis at {} writes no append-only file, so jobs are lost when Redis restarts. Set "
                            + "'appendonly yes' on that server.",
                    server);
        }
        int replicas = Integer.parseInt(info.getProperty("connected_slaves", "0"));
        if (replicas < waitReplicas) {
            log.warn(
                    "Redis at {} has {} connected replicas, but delayjob.redis.wait-replicas is {}. No job "
                            + "can be written until enough replicas are connected. Start the replicas, or lower "
                            + "delayjob.redis.wait-replicas.",
                    server,
                    replicas,
                    waitReplicas);
        }
    }
}
