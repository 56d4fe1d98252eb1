package io.delayjob.autoconfigure;

import io.delayjob.spring.InTransaction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Jobs in Redis, with delayjob.store=redis.
 *
 * @param namespace Prefix of the names of all keys. Applications with different namespaces share no jobs.
 * @param slots Number of hash slots over which the jobs are spread: a power of two from 1 to 1024. It cannot be changed
 *     after the first start. Default: 1 for a single server, 16 for a cluster.
 * @param waitReplicas Number of replicas that must confirm each write before the call returns, from 0 to 16. A failover
 *     to one of these replicas loses no confirmed write.
 * @param inTransaction What happens to a call within a transaction. Redis cannot join transactions.
 */
@ConfigurationProperties("delayjob.redis")
public record DelayJobRedisProperties(
        @DefaultValue("delayjob") String namespace,
        @Nullable Integer slots,
        @DefaultValue("0") int waitReplicas,
        @DefaultValue("after-commit") InTransaction inTransaction) {}
