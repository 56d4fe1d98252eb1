/**
 * The job store in Redis or Valkey, on one server or a cluster: {@link io.delayjob.redis.RedisJobStore}. It reads rows,
 * judges in Java by {@link io.delayjob.store.JobRules}, and writes with a script that compares the rows with what was
 * read. {@code Keyspace} has the keys, {@code RowFormat} the rows, {@code RowWriter} the writes. Behind the store stands a
 * class for each kind of call.
 */
@NullMarked
package io.delayjob.redis;

import org.jspecify.annotations.NullMarked;
