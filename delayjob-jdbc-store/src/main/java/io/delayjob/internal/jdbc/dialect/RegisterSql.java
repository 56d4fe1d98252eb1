package io.delayjob.internal.jdbc.dialect;

/**
 * The SQL for the register of the cluster: instances, notices, queues, the identity of the tables, the clock and
 * leases. Immutable and thread-safe.
 */
public abstract class RegisterSql {

    RegisterSql() {}

    /** Registers an instance and returns its number. */
    public abstract Script registerInstance();

    /** Counts one heartbeat. The last statement returns the time of the database's clock in microseconds. */
    public abstract Script beat();

    /**
     * Returns every registered instance, and also notices. The row of a notice has the number 0. The result has all
     * notices that apply to every instance, and at most {@code :limit} notices for the instance {@code :number}.
     */
    public String look() {
        return """
                SELECT number, incarnation, queues, stopping, beats, pauses_held, 0 AS kind
                FROM {instance}
                UNION ALL
                SELECT 0, name, '', FALSE, 0, 0, kind
                FROM {notice}
                WHERE owner = 0
                UNION ALL
                SELECT 0, name, '', FALSE, 0, 0, kind
                FROM (
                    SELECT kind, name
                    FROM {notice}
                    WHERE owner = :number AND owner <> 0
                    ORDER BY kind, name
                    LIMIT :limit
                ) AS own
                ORDER BY number
                """;
    }

    /** Returns all instances, with the columns of {@link #look()} and the vitals, but without notices. */
    public String listInstances() {
        return """
                SELECT number, incarnation, queues, stopping, beats, pauses_held, vitals
                FROM {instance}
                ORDER BY number
                """;
    }

    /** Returns the number and the handlers of every registered instance. */
    public String instanceHandlers() {
        return "SELECT number, handlers FROM {instance}";
    }

    /** Records the pauses that an instance has read. */
    public String acknowledgePauses() {
        return """
                UPDATE {instance}
                SET pauses_held = :fingerprint
                WHERE number = :number
                """;
    }

    /** Removes an instance if it has sent no heartbeat since the last read. */
    public String removeInstance() {
        return """
                DELETE FROM {instance}
                WHERE number = :number AND beats = :beats
                """;
    }

    /** Removes an instance that has stopped. */
    public String deregisterInstance() {
        return """
                DELETE FROM {instance}
                WHERE number = :number
                """;
    }

    /** Inserts a notice if it does not exist. The number of affected rows tells whether the notice was inserted. */
    public abstract String insertNotice();

    /** Finds notices by kind and name, for any instance. Locks nothing. */
    public String findNotice() {
        return """
                SELECT kind, name
                FROM {notice}
                WHERE kind = :kind AND name = :name
                """;
    }

    /** Deletes a notice. */
    public String deleteNotice() {
        return """
                DELETE FROM {notice}
                WHERE kind = :kind AND name = :name AND owner = :owner
                """;
    }

    /** Deletes many notices of one kind for one instance, in the order of the given names. */
    public abstract String deleteNotices();

    /** Deletes the notices to instances that no longer exist. */
    public String purgeNotices() {
        return """
                DELETE FROM {notice}
                WHERE owner <> 0 AND NOT EXISTS (SELECT 1 FROM {instance} i WHERE i.number = owner)
                """;
    }

    /** Returns name and kind of the notices that apply to every instance. */
    public String listNotices() {
        return """
                SELECT name, kind
                FROM {notice}
                WHERE owner = 0
                """;
    }

    /** Returns the paused names. Each row also has the author, the time and the reason of the pause. */
    public String listPauses() {
        return """
                SELECT name, kind, noted_at, noted_by, reason
                FROM {notice}
                WHERE owner = 0
                ORDER BY kind, name
                """;
    }

    /** Returns the time of the database's clock at this statement, in microseconds since the epoch. */
    public abstract String clock();

    /** Gives a queue a number if it has none. A constraint refuses a second number for the queue. */
    public String insertQueue() {
        return """
                INSERT INTO {queue} (name)
                SELECT CAST(:name AS CHARACTER VARYING)
                WHERE NOT EXISTS (SELECT 1 FROM {queue} WHERE name = :name)
                """;
    }

    /** Returns every queue and its number. */
    public String listQueues() {
        return """
                SELECT name, number
                FROM {queue}
                """;
    }

    /** Returns the identity of the tables, or no row if they have none yet. */
    public String identity() {
        return """
                SELECT identity
                FROM {identity}
                """;
    }

    /** Gives the tables their identity. The primary key refuses a second identity. */
    public String insertIdentity() {
        return """
                INSERT INTO {identity} (one, identity)
                VALUES (1, :identity)
                """;
    }

    /**
     * Shortens a lock, so that it ends {@code :micros} microseconds from now. If the lock ends earlier, the statement
     * changes nothing. The present time comes from the clock that ShedLock uses.
     */
    public abstract String shortenLock();
}
