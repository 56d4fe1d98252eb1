package io.delayjob.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Thrown at start if the configured database or Redis cannot keep jobs. */
final class JobDatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String description;
    private final String action;

    private JobDatabaseException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.description = description;
        this.action = action;
    }

    static JobDatabaseException unreachable(Throwable cause) {
        return new JobDatabaseException(
                "delayjob cannot reach the database of its tables: " + cause.getMessage(), """
                Start the database, or correct its URL, user and password. If it may start later than the application:
                    - set spring.datasource.hikari.initialization-fail-timeout=60000, so that the pool waits at start for
                      at most 60,000 ms, or
                    - have the application restarted until the database is there.
                """, cause);
    }

    static JobDatabaseException unsupported(IllegalArgumentException cause) {
        return new JobDatabaseException(String.valueOf(cause.getMessage()), """
                Keep the jobs in a database that is supported:
                    - correct spring.datasource.url, or mark the DataSource of such a database with @DelayJobDataSource, or
                    - set delayjob.jdbc.dialect to postgresql, mariadb, mysql or h2 if this database accepts its SQL, or
                    - set delayjob.store=memory if jobs may be lost when the application ends.
                """, cause);
    }

    static JobDatabaseException poolTooSmall(int connections, int needed, String why) {
        return new JobDatabaseException(
                "The connection pool of the job tables has at most %d connections: must have %d or more, because %s."
                        .formatted(connections, needed, why),
                "Make the pool larger, for example with spring.datasource.hikari.maximum-pool-size=10.",
                null);
    }

    static JobDatabaseException redisUnreachable(Throwable cause) {
        return new JobDatabaseException(
                "delayjob cannot reach the Redis of its jobs: " + cause.getMessage(), """
                Start the server, or correct spring.data.redis.*: host and port, url, sentinel.*, cluster.*, username, password
                and ssl. If it may start later than the application, have the application restarted until the server is there.
                """, cause);
    }

    static JobDatabaseException withoutLettuce(String found) {
        return new JobDatabaseException(
                "delayjob.store=redis needs a bean of type LettuceConnectionFactory, but found %s.".formatted(found),
                """
                Add spring-boot-starter-data-redis, and leave spring.data.redis.client-type at its default, lettuce. If the
                application has several connection factories, mark the one of the jobs with @DelayJobRedis.
                """,
                null);
    }

    static JobDatabaseException otherRedisStore(IllegalStateException cause) {
        return new JobDatabaseException(String.valueOf(cause.getMessage()), """
                Correct delayjob.redis.slots to the number that the store has, or choose another delayjob.redis.namespace for
                a new store. To change the number of slots, let all jobs end first.
                """, cause);
    }

    static JobDatabaseException redisWithoutInfo(Throwable cause) {
        return new JobDatabaseException(
                "Redis does not answer INFO, so delayjob cannot check whether it may delete jobs: "
                        + cause.getMessage(),
                "Allow the command INFO to the user of spring.data.redis.username, as by the ACL rule +info.",
                cause);
    }

    static JobDatabaseException unfitRedis(String server, String fault, String action) {
        return new JobDatabaseException("Redis at %s must not keep jobs: %s.".formatted(server, fault), action, null);
    }

    JobDatabaseException of(NamedStore store) {
        return new JobDatabaseException(
                "Store '%s': %s".formatted(store.name(), description), action + store.note(), getCause());
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
