package io.delayjob.autoconfigure;

import io.delayjob.redis.RedisJobStore;
import io.delayjob.redis.RedisJobStoreBuilder;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.StoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Redis that keeps the jobs. */
record JobRedis(LettuceConnectionFactory connections) {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    static JobRedis choose(ObjectProvider<RedisConnectionFactory> any, ObjectProvider<RedisConnectionFactory> marked) {
        @Nullable RedisConnectionFactory chosen = marked.getIfAvailable(any::getIfAvailable);
        if (chosen instanceof LettuceConnectionFactory lettuce) {
            return new JobRedis(lettuce);
        }
        throw JobDatabaseException.withoutLettuce(
                chosen == null ? "none" : "a " + chosen.getClass().getName());
    }

    /** Checks the server first, so that nothing is written to an unfit server. */
    RedisJobStore store(DelayJobRedisProperties properties, DelayJobProperties general, EngineSettings settings) {
        new RedisServerCheck(connections, properties.waitReplicas()).check();
        RedisJobStoreBuilder builder = builder()
                .maxPayloadBytes(general.payload().maxReadBytes())
                .timeout(longestWait(settings.cluster().liveness()));
        InvalidSettingException.checked("delayjob.redis.namespace", () -> builder.namespace(properties.namespace()));
        InvalidSettingException.checked(
                "delayjob.redis.wait-replicas", () -> builder.waitReplicas(properties.waitReplicas()));
        Integer slots = properties.slots();
        if (slots != null) {
            InvalidSettingException.checked("delayjob.redis.slots", () -> builder.slots(slots));
        }
        try {
            return builder.build();
        } catch (IllegalStateException otherStore) {
            throw JobDatabaseException.otherRedisStore(otherStore);
        } catch (StoreException away) {
            throw JobDatabaseException.redisUnreachable(away);
        }
    }

    /** Redis must answer a heartbeat in much less time than {@code liveness}. */
    static Duration longestWait(Duration liveness) {
        Duration heartbeatTimeout = liveness.multipliedBy(3).dividedBy(10);
        return heartbeatTimeout.compareTo(LONGEST_WAIT) < 0 ? heartbeatTimeout : LONGEST_WAIT;
    }

    LockProvider locks(DelayJobRedisProperties properties) {
        return new RedisLockProvider.Builder(connections)
                .keyPrefix(properties.namespace() + ":lease")
                .safeUpdate(true)
                .build();
    }

    private RedisJobStoreBuilder builder() {
        AbstractRedisClient client = connections.getRequiredNativeClient();
        return client instanceof RedisClusterClient cluster
                ? RedisJobStore.builder(cluster)
                : RedisJobStore.builder((RedisClient) client);
    }
}
