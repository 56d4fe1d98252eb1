package io.delayjob.jdbc.dialect;

/**
 * The cluster's register: instances, notices to them, queues, the tables' identity, the clock and leases. Immutable and
 * thread-safe.
 */
public abstract class RegisterSql {

    RegisterSql() {}

    /** Registers an instance; answers its number. */
    public abstract Script registerInstance();

    /** One heartbeat; answers the database's clock in microseconds, read by its last statement. */
    public abstract Script beat();

    /**
     * Every registered instance, and, under number 0 and with its kind, every notice for all of them and, up to a limit,
     * those for one.
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

    /** The instances alone, in the columns of {@link #look()}. */
    public String listInstances() {
        return """
                SELECT number, incarnation, queues, stopping, beats, pauses_held
                FROM {instance}
                ORDER BY number
                """;
    }

    /** The handlers of every registered instance. */
    public String instanceHandlers() {
        return "SELECT handlers FROM {instance}";
    }

    /** Writes which pauses an instance holds. */
    public String acknowledgePauses() {
        return """
                UPDATE {instance}
                SET pauses_held = :fingerprint
                WHERE number = :number
                """;
    }

    /** Takes out an instance whose heart has not beaten since. */
    public String removeInstance() {
        return """
                DELETE FROM {instance}
                WHERE number = :number AND beats = :beats
                """;
    }

    /** Takes out an instance that has stopped. */
    public String deregisterInstance() {
        return """
                DELETE FROM {instance}
                WHERE number = :number
                """;
    }

    /** Puts a notice up, unless it is there; its affected rows tell. */
    public abstract String insertNotice();

    /** The notice of a name, whomever it is for: a plain look, which locks nothing. */
    public String findNotice() {
        return """
                SELECT kind, name
                FROM {notice}
                WHERE kind = :kind AND name = :name
                """;
    }

    /** Takes a notice down. */
    public String deleteNotice() {
        return """
                DELETE FROM {notice}
                WHERE kind = :kind AND name = :name AND owner = :owner
                """;
    }

    /** Takes many notices of one kind down that are for one instance, in the order in which they are named. */
    public abstract String deleteNotices();

    /** Takes the notices down that are for nobody any more. */
    public String purgeNotices() {
        return """
                DELETE FROM {notice}
                WHERE owner <> 0 AND NOT EXISTS (SELECT 1 FROM {instance} i WHERE i.number = owner)
                """;
    }

    /** The notices of all kinds. */
    public String listNotices() {
        return """
                SELECT name, kind
                FROM {notice}
                WHERE owner = 0
                """;
    }

    /** The database's clock in microseconds since the epoch: of this statement, not of its transaction. */
    public abstract String clock();

    /** Gives a queue a number unless it has one. When two do so at once, the constraint refuses one of them. */
    public String insertQueue() {
        return """
                INSERT INTO {queue} (name)
                SELECT CAST(:name AS CHARACTER VARYING)
                WHERE NOT EXISTS (SELECT 1 FROM {queue} WHERE name = :name)
                """;
    }

    /** Every queue and its number. */
    public String listQueues() {
        return """
                SELECT name, number
                FROM {queue}
                """;
    }

    /** The identity of the tables; no row until there is one. */
    public String identity() {
        return """
                SELECT identity
                FROM {identity}
                """;
    }

    /** Gives the tables their identity. When two instances do so at once, the primary key refuses one of them. */
    public String insertIdentity() {
        return """
                INSERT INTO {identity} (one, identity)
                VALUES (1, :identity)
                """;
    }

    /**
     * Ends a lock within {@code :micros} microseconds if it lasts longer, by ShedLock's clock here. A lock that lasts
     * longer than its maximum was taken before that clock was set back.
     */
    public abstract String shortenLock();
}
