package io.delayjob.jdbc.dialect;

import java.lang.module.ModuleDescriptor.Version;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of one kind of database, in seven roles: {@link #submission()}, {@link #byHand()}, {@link #claims()}, {@link
 * #ends()}, {@link #pages()}, {@link #reads()} and {@link #register()}. A dialect returns statements and leaves it to the
 * store to run them. A role holds the statements that several databases understand; a database overrides those that
 * differ. {@link SqlTemplate} fills placeholders in braces, the store binds named parameters. Immutable and thread-safe.
 *
 * <p>Each transition is one {@link Script}: one statement if the database can do it in one, otherwise a few in a row. A
 * batch travels as arrays, one per column, of type {@code uuid}, {@code bigint}, {@code integer}, {@code smallint},
 * {@code boolean} or {@code varchar}. A database {@linkplain #hasArrays() without arrays} gets it as one JSON text,
 * {@code :batch}, and behind a lock as {@code :lockedRows}, without the rows that were not locked. The rows of a batch
 * are in the order of the primary key, in which the database shall lock them.
 */
public abstract class Dialect {

    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+(?:\\.\\d+)*).*", Pattern.DOTALL);

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

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
        String name = productName(database);
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

    /** Whether the database calls itself what this dialect was made for. */
    public final boolean isOwnOf(DatabaseMetaData database) throws SQLException {
        return productName.equalsIgnoreCase(productName(database));
    }

    /** The database with its version, and this dialect where it was made for another one. */
    public final String describe(DatabaseMetaData database) throws SQLException {
        boolean own = isOwnOf(database);
        return "%s %d.%d%s"
                .formatted(
                        own ? productName : productName(database),
                        database.getDatabaseMajorVersion(),
                        database.getDatabaseMinorVersion(),
                        own ? "" : " in the dialect of " + productName);
    }

    /**
     * What to throw when a database refuses a statement of this dialect, which was made for another one.
     *
     * @param product what the database calls itself
     */
    public final IllegalArgumentException refusal(String product, String statement, Throwable refusal) {
        return new IllegalArgumentException(
                "Unsupported database '%s' for delayjob.jdbc.dialect=%s: it refuses statements of that dialect, such as%n    %s%n(%s)."
                        .formatted(
                                product,
                                platform,
                                inOneLine(statement),
                                inOneLine(String.valueOf(refusal.getMessage()))),
                refusal);
    }

    private static String inOneLine(String text) {
        return WHITE_SPACE.matcher(text.strip()).replaceAll(" ");
    }

    private static String productName(DatabaseMetaData database) throws SQLException {
        // MySQL's driver takes a MariaDB for a MySQL.
        return database.getDatabaseProductVersion().contains("MariaDB") ? "MariaDB" : database.getDatabaseProductName();
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
     * Whether a statement's time-out stays with the connection. Then it must be put back, because it would hit later
     * statements of other borrowers.
     */
    public boolean keepsTimeoutOnConnection() {
        return false;
    }

    /**
     * Whether the database has arrays, and a type for UUIDs. Otherwise a batch is bound as a JSON array of objects, and a
     * list as a JSON array, both with ids as 32 hexadecimal digits. A single id is bound as its sixteen bytes.
     */
    public boolean hasArrays() {
        return true;
    }

    /** The parts that many statements share, each by its placeholder. */
    Map<String, String> fragments() {
        return ArrayFragments.ALL;
    }

    /**
     * Settings ahead of the first statement of an engine's own transaction. With them the database ends the transaction
     * if the engine falls silent, and plans its statements for the tables as they are. A server may not notice for hours
     * that its client is gone, and no other instance could claim the rows that the transaction has locked. Empty if a
     * database cannot do this, or need not.
     */
    public String guard() {
        return "";
    }

    /** A script for an engine's own transactions, under {@link #guard()}. */
    public final Script guarded(Script script) {
        return script.after(guard());
    }

    /**
     * Statement ahead of DDL, in the same transaction, so that the DDL waits only briefly for a lock. All users of the
     * table would wait behind it. {@code null} if DDL ends the transaction, or never waits for long.
     */
    public @Nullable String limitLockWaits() {
        return null;
    }

    /**
     * Statements that tell whether a transaction is still the one that it was at its beginning. After a deadlock, for
     * example, some databases end a transaction and continue in another one.
     *
     * @param set runs at the beginning
     * @param check runs at the end, and finds no row or no savepoint if the transaction has been replaced
     */
    public record Mark(String set, String check) {}

    /** {@code null} if the database refuses further statements of a transaction that it has ended. */
    public @Nullable Mark mark() {
        return null;
    }

    /**
     * Makes the server plan a statement each time it runs, for its values and for the tables as they are. It is meant for
     * statements in an application's transaction, because a setting would outlast them. Does nothing if the server plans
     * that way by itself.
     */
    public void planAnew(PreparedStatement statement) throws SQLException {}

    /**
     * An array to be bound on this connection.
     *
     * @param type of its values, as for a batch
     */
    public Array array(Connection connection, String type, @Nullable Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    /** New jobs and their keys. */
    public abstract SubmissionSql submission();

    /** What a person or an application does to one job. Each statement runs in any transaction. */
    public abstract ByHandSql byHand();

    /** The transitions that decide which instance may run a job: claim, release and rescue. */
    public abstract ClaimSql claims();

    /** The end of attempts and of jobs, the attempt log, and retention. */
    public abstract EndSql ends();

    /** Pages of unfinished jobs that are due, or due soon: a few columns of each row. */
    public abstract PageSql pages();

    /** What people and applications read: jobs, pages of jobs, counts. */
    public ReadSql reads() {
        return new ReadSql();
    }

    /** The cluster's register: instances, notices to them, queues, the tables' identity, the clock and leases. */
    public abstract RegisterSql register();
}
