/**
 * The job store in Redis or Valkey, on one server or a cluster: {@link io.delayjob.redis.RedisJobStore}. The store
 * reads rows, decides about changes in Java by {@link io.delayjob.store.JobRules}, and writes them by a script, which
 * first checks that the rows still begin with the bytes that were read. {@code Keyspace} names the keys,
 * {@code RowFormat} formats the rows, and {@code RowWriter} writes the rows. The store has a class for each kind of
 * call.
 */
@NullMarked
package io.delayjob.redis;

import org.jspecify.annotations.NullMarked;
