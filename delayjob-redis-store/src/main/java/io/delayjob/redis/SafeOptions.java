package io.delayjob.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;

/**
 * Sets the client's options so that no command is sent a second time. A repeated write could create a job again after
 * the job has ended.
 */
final class SafeOptions {

    private static final int MAX_QUEUE = 100_000;

    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(5);

    private SafeOptions() {}

    static void set(RedisClient client) {
        client.setOptions(withoutRepetition(client.getOptions().mutate()).build());
    }

    /** If the client already has a refresh period, the client keeps this period. */
    static void set(RedisClusterClient client) {
        ClientOptions present = client.getOptions();
        ClusterClientOptions.Builder options = ClusterClientOptions.builder(present);
        if (!(present instanceof ClusterClientOptions cluster)
                || !cluster.getTopologyRefreshOptions().isPeriodicRefreshEnabled()) {
            options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(TOPOLOGY_REFRESH)
                    .build());
        }
        withoutRepetition(options);
        client.setOptions(options.build());
    }

    private static ClientOptions.Builder withoutRepetition(ClientOptions.Builder options) {
        return options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MAX_QUEUE)
                .replayFilter(SafeOptions::endInsteadOfRepeating);
    }

    /** When Lettuce drops a command, it does not notify the caller. So this method ends the command with an error. */
    private static boolean endInsteadOfRepeating(RedisCommand<?, ?, ?> command) {
        command.completeExceptionally(new RedisException("the connection was lost"));
        return true;
    }
}
