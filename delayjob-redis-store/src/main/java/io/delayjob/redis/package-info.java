/**
 * The job store in Redis or Valkey, on one server or a cluster: {@link io.delayjob.redis.RedisJobStore}. The store
 * reads rows, and {@link io.delayjob.store.JobRules} decides in Java how they change. A script then writes the changes,
 * if the rows still begin with the bytes that were read. {@code Keyspace} names the keys, {@code RowFormat} formats the
 * rows, and {@code RowWriter} writes the rows.
 */
@NullMarked
package io.delayjob.redis;

import org.jspecify.annotations.NullMarked;
