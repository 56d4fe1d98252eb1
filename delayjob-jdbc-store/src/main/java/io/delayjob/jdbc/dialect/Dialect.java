package io.delayjob.jdbc.dialect;

import java.lang.module.ModuleDescriptor.Version;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of one kind of database. A dialect returns statements and never runs them; what several databases read alike
 * stands here, a subclass overrides what differs. Placeholders in braces are filled by {@link SqlTemplate}, named
 * parameters are bound by the store. Immutable and thread-safe.
 *
 * <p>Each transition is one {@link Script}: one statement where the database can do it in one, else a few in a row. A
 * batch travels as arrays, one per column, of type {@code uuid}, {@code bigint}, {@code integer}, {@code smallint},
 * {@code boolean} or {@code varchar}; where a database {@linkplain #hasArrays() has none}, as one JSON text, {@code
 * :batch}, and behind a lock {@code :lockedRows}, which leaves out the rows that were not locked. Its rows come in the
 * order of the primary key, in which the database shall lock them.
 */
public abstract class Dialect {

    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+(?:\\.\\d+)*).*", Pattern.DOTALL);

    private final String productName;
    private final String platform;
    private final String oldest;

    /**
     * @param productName what the database calls itself, as in {@link DatabaseMetaData#getDatabaseProductName()}
     * @param platform what Spring Boot calls it: the part of the schema script's name that differs
     * @param oldest the first version that reads these statements
     */
    Dialect(String productName, String platform, String oldest) {
        this.productName = productName;
        this.platform = platform;
        this.oldest = oldest;
    }

    /**
     * The dialect of a database.
     *
     * @throws IllegalArgumentException for a database that delayjob has no dialect for, or for one that is too old
     */
    public static Dialect of(DatabaseMetaData database) throws SQLException {
        List<Dialect> known = all();
        String version = database.getDatabaseProductVersion();
        // MySQL's driver takes a MariaDB for a MySQL.
        String name = version.contains("MariaDB") ? "MariaDB" : database.getDatabaseProductName();
        Dialect spoken = known.stream()
                .filter(dialect -> dialect.productName.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Unsupported database '%s': must be one of %s; use one of these, or name the one whose SQL it speaks (delayjob.jdbc.dialect)."
                                .formatted(name, known)));
        if (spoken.isTooOld(version)) {
            throw new IllegalArgumentException(
                    "Unsupported version '%s' of %s: must be %s or later; upgrade the server."
                            .formatted(version, name, spoken.oldest));
        }
        return spoken;
    }

    /**
     * The dialect of this name, for a compatible database with another name of its own.
     *
     * @param platform as in {@link #platform()}
     * @throws IllegalArgumentException when no dialect has that name
     */
    public static Dialect named(String platform) {
        return all().stream()
                .filter(dialect -> dialect.platform.equals(platform))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Invalid delayjob.jdbc.dialect '%s': must be one of %s."
                        .formatted(
                                platform, all().stream().map(Dialect::platform).toList())));
    }

    private static List<Dialect> all() {
        return List.of(postgreSql(), mariaDb(), mySql(), h2());
    }

    /** MariaDB puts another version ahead of its own, for the sake of clients that know MySQL's only. */
    private boolean isTooOld(String version) {
        Matcher numbers = VERSION.matcher(version);
        return numbers.matches() && Version.parse(numbers.group(1)).compareTo(Version.parse(oldest)) < 0;
    }

    /** PostgreSQL, 13 and later. */
    public static Dialect postgreSql() {
        return new PostgreSqlDialect();
    }

    /** MariaDB, 10.6 and later, through its own driver or MySQL's. */
    public static Dialect mariaDb() {
        return new MariaDbDialect();
    }

    /** MySQL, 8.0.17 and later. */
    public static Dialect mySql() {
        return new MySqlDialect();
    }

    /** H2, 2.2 and later, in its regular mode. */
    public static Dialect h2() {
        return new H2Dialect();
    }

    /** What Spring Boot calls the database: {@code h2}, {@code mariadb}, {@code mysql}, {@code postgresql}. */
    public final String platform() {
        return platform;
    }

    @Override
    public final String toString() {
        return productName;
    }

    /**
     * Whether a statement's timeout stays with the connection and so hits statements of others that borrow it later.
     * Where it does, it must be put back.
     */
    public boolean keepsTimeoutOnConnection() {
        return false;
    }

    /**
     * Whether the database has arrays, and a type for UUIDs. Where it has not, a batch is bound as a JSON array of
     * objects, a list as a JSON array, both with ids as 32 hexadecimal digits, and a single id as its sixteen bytes.
     */
    public boolean hasArrays() {
        return true;
    }

    /**
     * Whether {@link #dueAfter()}, {@link #overdue()} and {@link #lost()} take one cursor, as single values; else
     * arrays of them.
     */
    public boolean looksThroughOnePartition() {
        return false;
    }

    /**
     * Whether {@link #insertJobs()} inserts all of a batch or, by an error, nothing, and answers no rows. An insert
     * that meets a taken key may then lock it, and the gap beside it, so it is better to look first.
     */
    public boolean insertsAllOrNothing() {
        return false;
    }

    /** The parts that many statements share, each by its placeholder. */
    Map<String, String> fragments() {
        return ArrayFragments.ALL;
    }

    /**
     * What goes ahead of the first statement of an engine's own transaction, so that the database ends the transaction
     * when the engine falls silent in the midst of it, and has no plan for its statements but one made for the tables
     * as they are; empty where a database cannot, or need not. A server may not notice for hours that a network has
     * swallowed its client, and no other instance could claim the rows that the transaction has locked.
     */
    public String guard() {
        return "";
    }

    /** A script for an engine's own transactions, under {@link #guard()}. */
    public final Script guarded(Script script) {
        return script.after(guard());
    }

    /**
     * Statement ahead of DDL, in one transaction with it, so that it does not wait long for a lock: all users of the
     * table would wait behind it. {@code null} if DDL ends the transaction, or never waits for long.
     */
    public @Nullable String limitLockWaits() {
        return null;
    }

    /**
     * Statements that tell whether a transaction is still the one that it was at its beginning, when {@code set} was
     * run. {@code check}, at its end, finds no row or no savepoint if the database has ended that one in between, as
     * after a deadlock, and taken what came then for another.
     */
    public record Mark(String set, String check) {}

    /** {@code null} where the database takes nothing more from a transaction that it has broken off. */
    public @Nullable Mark mark() {
        return null;
    }

    /**
     * Has the server plan a statement for its values and for the tables as they are, whenever it runs; for statements
     * that run in an application's transaction, where a setting would outlast them. Does nothing where the server does
     * so anyhow.
     */
    public void planAnew(PreparedStatement statement) throws SQLException {}

    // ---- new jobs and their keys

    /** Inserts jobs whose key, if any, is free, and answers their ids. Of one key the batch holds one job. */
    public abstract Script insertJobs();

    /**
     * The same of jobs without keys, all of them or, by an error, none, and answers nothing; {@code null} where that is
     * no less work.
     */
    public @Nullable Script insertUnkeyedJobs() {
        return null;
    }

    /**
     * Statements that write rows as a stream, which the database takes in while the client is still writing.
     *
     * @param begin answers what limits how long a statement may take, and limits it to {@code :timeout}, such as {@code
     *     10s}, unless the limit is lower already; answers nothing, and does nothing, where the rows must be inserted
     * @param copy reads the rows, in the binary format of PostgreSQL's {@code COPY}; {@code %s} stands for further columns,
     *     each behind a comma
     * @param end puts the limit back to {@code :before}
     */
    public record Copy(String begin, String copy, String end) {}

    /**
     * The same as {@link #insertUnkeyedJobs()}, by a stream of rows of id, partition, name, token, the times of scheduling,
     * plan and due time, and whichever texts any row has; {@code null} where the database or the class path has nothing for
     * it. The other columns have their defaults.
     */
    public @Nullable Copy copyUnkeyedJobs() {
        return null;
    }

    /**
     * As {@link #insertJobs()}, of one job, whose values are bound one by one; {@code null} where that is no less work
     * than a batch of one.
     */
    public @Nullable Script insertJob() {
        return null;
    }

    /** As {@link #insertUnkeyedJobs()}, of one job, whose values are bound one by one. */
    public @Nullable Script insertUnkeyedJob() {
        return null;
    }

    /** Name, key, id and state of the unfinished jobs of these keys. */
    public String findKeys() {
        return """
                SELECT j.name, j.job_key, j.id, j.state
                FROM {keys}
                JOIN {job} j ON j.name = k.name AND j.job_key = k.job_key
                """;
    }

    /**
     * As {@link #findKeys()}, but the jobs that there are at this moment, even where the transaction's plain reads show
     * those of its beginning.
     */
    public String findLatestKeys() {
        return findKeys();
    }

    /**
     * Gives the waiting jobs of these keys all that is new, their place included; answers them as due rows with their
     * key.
     */
    public abstract Script replaceJobs();

    /** Gives the waiting jobs of these keys their new due time and place; answers them as due rows with their key. */
    public abstract Script postponeJobs();

    /** Takes these keys from running jobs, with their further attempts; answers their ids. */
    public abstract Script takeKeys();

    // ---- one job, by hand

    /** Locks an unfinished job and answers it. */
    public String lockJob() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE id = :id
                FOR UPDATE
                """;
    }

    /** Locks the unfinished job of a key and answers it. */
    public String lockKey() {
        return """
                SELECT {job_columns}
                FROM {job}
                WHERE name = :name AND job_key = :key
                FOR UPDATE
                """;
    }

    /** Asks that no attempt follows the running one. */
    public String requestCancel() {
        return """
                UPDATE {job}
                SET cancel_requested = TRUE
                WHERE id = :id
                """;
    }

    /** Takes its key from a job that the transaction has locked. */
    public String dropKey() {
        return """
                UPDATE {job}
                SET job_key = NULL
                WHERE id = :id
                """;
    }

    /** Moves a waiting job that the transaction has locked; the plan moves along unless it is between retries. */
    public String reschedule() {
        return """
                UPDATE {job}
                SET due_at = :dueAt,
                    planned_at = CASE WHEN failures = 0 AND rescues = 0 THEN :dueAt ELSE planned_at END,
                    token = :freshToken
                WHERE id = :id
                """;
    }

    /** Locks a failed job in the history, if it is there, and answers its id: nobody else revives it meanwhile. */
    public String lockFailed() {
        return """
                SELECT id
                FROM {history}
                WHERE id = :id AND state = {failed}
                FOR UPDATE
                """;
    }

    /** Brings a locked failed job back from the history unless its key is taken; answers it as a due row. */
    public abstract Script reviveJob();

    /** Deletes one job of the history, but not its attempts. */
    public String deleteFromHistory() {
        return """
                DELETE FROM {history}
                WHERE id = :id
                """;
    }

    // ---- claim, release, rescue

    /**
     * Claims: locks first, in the order of the primary key, skipping locked rows, conditional on id and token alone.
     * Answers the claimed jobs.
     */
    public abstract Script claim();

    /** Claims and ends that lock no row first; {@code null} where that is no less work. */
    public @Nullable Straight straight() {
        return null;
    }

    /** Makes claimed or claimable rows wait again, skipping locked ones; answers the jobs. */
    public abstract Script release();

    /** Makes lost rows wait again, due now, skipping locked ones; answers the jobs. */
    public abstract Script rescue();

    // ---- completion

    /**
     * Moves jobs to the history, or, where it is not to be kept, out of the tables; answers the ids of those that
     * matched. One that somebody has asked to cancel does not match an ending as failed, and one that another
     * transaction has locked does not match at all.
     */
    public abstract Script endJobs();

    /**
     * Makes jobs wait again that nobody has asked to cancel, skipping locked ones; answers the ids of those that
     * matched.
     */
    public abstract Script returnJobs();

    /** Id, token and state of jobs, wherever they are, and whether a cancellation was requested. */
    public String locate() {
        return """
                SELECT j.id, j.token, j.state, j.cancel_requested
                FROM {ids}
                JOIN {job} j ON j.id = u.id
                UNION ALL
                SELECT h.id, h.token, h.state, h.cancel_requested
                FROM {ids}
                JOIN {history} h ON h.id = u.id
                """;
    }

    /** Writes lines of the attempt log. */
    public String insertAttempts() {
        return """
                INSERT INTO {attempt} (job_id, run, attempt, outcome, owner, started_at, ended_at,
                    failure_type, failure_message, failure_trace)
                SELECT a.job_id, a.run, a.attempt, a.outcome, a.owner, a.started_at, a.ended_at,
                    a.failure_type, a.failure_message, a.failure_trace
                FROM {attempts}
                """;
    }

    /** Deletes all but the newest lines of these jobs' attempt logs. */
    public abstract String pruneAttempts();

    /** Lowers the doubt of unfinished jobs, skipping locked ones; answers the ids of the others. */
    public abstract Script settleDoubt();

    /** The same of ended jobs: a transaction may be about to bring one back, or to end one. */
    public abstract Script settleDoubtInHistory();

    // ---- preload

    /** The next page of waiting rows behind each cursor, as due rows, in any order. */
    public abstract String dueAfter();

    /**
     * Of the next {@code :lookAt} unfinished rows behind each cursor those that wait and have one of some names, and
     * the last one whatever it is, as due rows, with whether they are wanted and their place; the first {@code :limit}
     * of each cursor, in any order.
     */
    public abstract String overdue();

    /**
     * Of the next {@code :limit} unfinished rows behind each cursor those that run and whose owner is not registered,
     * and the last one whatever it is, as due rows, with whether they are lost and their place, in any order.
     */
    public abstract String lost();

    /** The numbers of the partitions that hold unfinished jobs, each with the due time of the earliest of these. */
    public abstract String partitionsInUse();

    // ---- reading

    /**
     * Statements ahead of a bounded look, in a transaction of the store's own, so that it reads along its index and
     * stops there; empty if the statement itself ensures that.
     */
    public String alongTheIndex() {
        return "";
    }

    /** One job, from either table. */
    public String findJob() {
        return """
                SELECT {unfinished_row}
                FROM {job}
                WHERE id = :id
                UNION ALL
                SELECT {ended_row}
                FROM {history}
                WHERE id = :id
                """;
    }

    /** The unfinished job of a key; where there is none, of the ended ones that with the highest id. */
    public String findKey() {
        return """
                SELECT *
                FROM (
                    (
                        SELECT {unfinished_row}, 0 AS ended
                        FROM {job}
                        WHERE name = :name AND job_key = :key
                    )
                    UNION ALL
                    (
                        SELECT {ended_row}, 1 AS ended
                        FROM {history}
                        WHERE name = :name AND job_key = :key
                        ORDER BY id DESC
                        LIMIT 1
                    )
                ) AS found
                ORDER BY ended
                LIMIT 1
                """;
    }

    /**
     * A bounded look, for people. It returns at most {@code :limit} of the first {@code :lookAt} rows after the cursor:
     * the matching ones, and always the last one. Each row says whether it matches, its place, and whether it is the
     * last. The limit applies before the filter, so that no planner looks further. Texts are read of returned rows
     * only.
     */
    private static final String LOOK = """
            SELECT %1$s, wanted, place, is_last
            FROM (
                SELECT l.id AS found_id, l.wanted, l.place, l.is_last
                FROM (
                    SELECT %2$s,
                        CASE WHEN (CAST(:state AS {smallint}) IS NULL OR l.state = :state)
                                AND l.due_at BETWEEN :dueFrom AND :dueUntil
                                AND (CAST(:name AS {text}) IS NULL OR l.name = :name)
                                AND (CAST(:key AS {text}) IS NULL OR l.job_key = :key)
                            THEN 1 ELSE 0 END AS wanted,
                        ROW_NUMBER() OVER (ORDER BY %2$s) AS place,
                        CASE WHEN LEAD(l.id) OVER (ORDER BY %2$s) IS NULL THEN 1 ELSE 0 END AS is_last
                    FROM (
            %3$s
                        LIMIT :lookAt
                    ) AS l
                ) AS l
                WHERE l.wanted = 1 OR l.is_last = 1
                ORDER BY %2$s
                LIMIT :limit
            ) AS found
            JOIN %4$s ON id = found_id
            """;

    private static String lookAtUnfinished(String rows) {
        return LOOK.formatted("{unfinished_row}", "l.id", rows, "{job}");
    }

    private static String lookAtEnded(String order, String rows) {
        return LOOK.formatted("{ended_row}", order, rows, "{history}");
    }

    /** Both looks at one moment: no job is seen twice or missed while it moves from one table to the other. */
    private static String both(String unfinished, String ended) {
        return "(" + unfinished + ") UNION ALL (" + ended + ")";
    }

    /** A look at the unfinished jobs, in the order of ids. */
    public String lookAtUnfinished() {
        return lookAtUnfinished("""
                SELECT id, state, due_at, name, job_key
                FROM {job_by_id}
                WHERE id > :after
                ORDER BY id
                """);
    }

    /** A look at the ended jobs of a state, in the order of (end, id). */
    public String lookAtEnded() {
        return lookAtEnded("l.ended_at, l.id", """
                SELECT id, state, due_at, name, job_key, ended_at
                FROM {history_by_end}
                WHERE state = :state AND ended_at >= :endedAt AND (ended_at > :endedAt OR id > :after)
                ORDER BY ended_at, id
                """);
    }

    /** A look at all jobs, in the order of ids in each table. */
    public String lookAtAll() {
        return both(lookAtUnfinished(), lookAtEnded("l.id", """
                SELECT id, state, due_at, name, job_key
                FROM {history_by_id}
                WHERE id > :after
                ORDER BY id
                """));
    }

    /** A look at the jobs of one name and key, in the order of ids in each table. */
    public String lookAtKey() {
        return both(lookAtUnfinished("""
                SELECT id, state, due_at, name, job_key
                FROM {job_by_key}
                WHERE name = :name AND job_key = :key AND id > :after
                ORDER BY id
                """), lookAtEnded("l.id", """
                SELECT id, state, due_at, name, job_key
                FROM {history_by_key}
                WHERE name = :name AND job_key = :key AND id > :after
                ORDER BY id
                """));
    }

    /** The newest lines of a job's attempt log. */
    public String findAttempts() {
        return """
                SELECT job_id, run, attempt, outcome, owner, started_at, ended_at,
                    failure_type, failure_message, failure_trace
                FROM {attempt}
                WHERE job_id = :id
                ORDER BY id DESC
                LIMIT :limit
                """;
    }

    /**
     * State, whether due, and how many, of the first {@code :limit} unfinished jobs of one partition, or, unless the
     * dialect {@linkplain #looksThroughOnePartition() looks through one}, of several, that are due later than {@code
     * :from} and no later than {@code :until}.
     */
    public String countUnfinished() {
        return countUnfinished("""
                SELECT state, due_at
                FROM {job_by_due}
                WHERE partition_id = :partition AND due_at > :from AND due_at <= :until
                ORDER BY partition_id, due_at
                LIMIT :limit
                """);
    }

    static String countUnfinished(String rows) {
        return """
                SELECT state, due, COUNT(*)
                FROM (
                    SELECT state, CASE WHEN due_at <= :now THEN TRUE ELSE FALSE END AS due
                    FROM (
                %s
                    ) AS looked
                ) AS judged
                GROUP BY state, due
                """.formatted(rows);
    }

    /** Number of jobs that have ended in a state, counted up to {@code :limit}. */
    public String countEnded() {
        return """
                SELECT COUNT(*)
                FROM (
                    SELECT state
                    FROM {history_by_end}
                    WHERE state = :state
                    LIMIT :limit
                ) AS looked
                """;
    }

    // ---- retention

    /**
     * Deletes the ended jobs of a state that ended first, and their attempts, but no cancelled ones of a key; answers
     * their ids.
     */
    public abstract Script purgeHistory();

    // ---- instances, queues, time

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
