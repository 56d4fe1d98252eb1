package io.delayjob.internal.jdbc.dialect;

import io.delayjob.store.Durability;
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
 * The SQL of one kind of database, in nine roles such as {@link #claims()} and {@link #reads()}. A dialect returns
 * statements, and the store runs them. {@link SqlTemplate} fills the placeholders in braces, and the store binds the
 * named parameters. Immutable and thread-safe.
 *
 * <p>Each transition is one {@link Script}. A batch is sent as one array for each column. A database {@linkplain
 * #hasArrays() without arrays} receives the batch as one JSON text, {@code :batch}. If a script first locks rows,
 * {@code :lockedRows} contains only the locked rows of the batch. As arrays, these rows are {@code :idOfLocked}, {@code
 * :tokenOfLocked} and so on. A batch contains its rows in the order of the primary key. The database must lock the rows
 * in this order.
 */
public abstract class Dialect {

    private static final Pattern VERSION = Pattern.compile("(?:5\\.5\\.5-)?(\\d+(?:\\.\\d+)*).*", Pattern.DOTALL);

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    private final String productName;
    private final String platform;
    private final String oldest;

    /**
     * @param productName as in {@link DatabaseMetaData#getDatabaseProductName()}
     * @param platform Spring Boot's name of the database; the file name of the schema script contains this name
     * @param oldest the oldest version that accepts these statements
     */
    Dialect(String productName, String platform, String oldest) {
        this.productName = productName;
        this.platform = platform;
        this.oldest = oldest;
    }

    /**
     * Returns the dialect of a database.
     *
     * @throws IllegalArgumentException if delayjob has no dialect for the database, or its version is too old
     */
    public static Dialect of(DatabaseMetaData database) throws SQLException {
        List<Dialect> known = all();
        String version = database.getDatabaseProductVersion();
        String name = productName(database);
        Dialect spoken = known.stream()
                .filter(dialect -> dialect.productName.equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Unsupported database '%s': must be one of %s. Use one of these databases, or set delayjob.jdbc.dialect to the dialect whose SQL your database accepts."
                                .formatted(name, known)));
        if (spoken.isTooOld(version)) {
            throw new IllegalArgumentException(
                    "Unsupported version '%s' of %s: must be %s or later; upgrade the server."
                            .formatted(version, name, spoken.oldest));
        }
        return spoken;
    }

    /**
     * Returns the dialect with this name, for a compatible database with another product name.
     *
     * @param platform as in {@link #platform()}
     * @throws IllegalArgumentException if no dialect has that name
     */
    public static Dialect named(String platform) {
        return all().stream()
                .filter(dialect -> dialect.platform.equals(platform))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Invalid delayjob.jdbc.dialect '%s': must be one of %s."
                        .formatted(
                                platform, all().stream().map(Dialect::platform).toList())));
    }

    /** Tells whether this dialect was made for the database. */
    public final boolean isOwnOf(DatabaseMetaData database) throws SQLException {
        return productName.equalsIgnoreCase(productName(database));
    }

    /**
     * Describes the database with its version. If this dialect was made for another database, the text also names the
     * dialect.
     */
    public final String describe(DatabaseMetaData database) throws SQLException {
        boolean own = isOwnOf(database);
        return "%s %d.%d%s"
                .formatted(
                        own ? productName : productName(database),
                        database.getDatabaseMajorVersion(),
                        database.getDatabaseMinorVersion(),
                        own ? "" : " in the dialect of " + productName);
    }

    /** Says which failures a commit of this database survives. */
    public Durability durability(DatabaseMetaData database) throws SQLException {
        return Durability.DISK;
    }

    /**
     * Creates the exception for a statement that the database has refused. Call this method only if this dialect was
     * made for another database.
     *
     * @param product the name of the database product
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
        // MySQL's driver reports MariaDB as MySQL.
        return database.getDatabaseProductVersion().contains("MariaDB") ? "MariaDB" : database.getDatabaseProductName();
    }

    private static List<Dialect> all() {
        return List.of(postgreSql(), mariaDb(), mySql(), h2());
    }

    /** MariaDB's version text may begin with a version of MySQL. That version of MySQL is skipped. */
    private boolean isTooOld(String version) {
        Matcher numbers = VERSION.matcher(version);
        return numbers.matches() && Version.parse(numbers.group(1)).compareTo(Version.parse(oldest)) < 0;
    }

    /** Returns the dialect of PostgreSQL 13 and later. */
    public static Dialect postgreSql() {
        return new PostgreSqlDialect();
    }

    /** Returns the dialect of MariaDB 10.6 and later, for the drivers of MariaDB and MySQL. */
    public static Dialect mariaDb() {
        return new MariaDbDialect();
    }

    /** Returns the dialect of MySQL 8.0.17 and later. */
    public static Dialect mySql() {
        return new MySqlDialect();
    }

    /** Returns the dialect of H2 2.2 and later, in its regular mode. */
    public static Dialect h2() {
        return new H2Dialect();
    }

    /** Returns Spring Boot's name of the database: {@code h2}, {@code mariadb}, {@code mysql} or {@code postgresql}. */
    public final String platform() {
        return platform;
    }

    @Override
    public final String toString() {
        return productName;
    }

    /**
     * Tells whether the timeout of a statement stays on the connection after the statement. If it does, the store must
     * reset the timeout.
     */
    public boolean keepsTimeoutOnConnection() {
        return false;
    }

    /**
     * Tells whether the database has arrays and a type for UUIDs. If the database has no arrays, the store binds
     * batches and lists as JSON. Each id in the JSON has 32 hexadecimal digits. A single id is bound as its sixteen
     * bytes.
     */
    public boolean hasArrays() {
        return true;
    }

    Map<String, String> fragments() {
        return ArrayFragments.ALL;
    }

    /**
     * Returns settings to send before the first statement of an engine's own transaction. If the engine sends no
     * further statement, these settings make the database end the transaction. Otherwise, the engine's rows could stay
     * locked for hours. The text is empty if the database has no such settings.
     */
    public String guard() {
        return "";
    }

    /** Returns the script for an engine's own transactions, with {@link #guard()} before the first statement. */
    public final Script guarded(Script script) {
        return script.after(guard());
    }

    /**
     * Returns a statement to run before DDL in the same transaction. The statement limits how long the DDL waits for a
     * lock. In some databases, DDL ends the transaction or never waits for long. For these databases, the method
     * returns {@code null}.
     */
    public @Nullable String limitLockWaits() {
        return null;
    }

    /**
     * Statements that tell whether the database has silently replaced the transaction, for example after a deadlock.
     *
     * @param set statement to run at the beginning
     * @param check statement to run at the end. If the database has replaced the transaction, the statement finds no
     *     row or no savepoint
     */
    public record Mark(String set, String check) {}

    /**
     * Returns the statements that set and check the mark of a transaction. Returns {@code null} if the database never
     * replaces a transaction.
     */
    public @Nullable Mark mark() {
        return null;
    }

    /**
     * Makes the server plan this statement anew for each run. Does nothing if the server always plans statements anew.
     */
    public void planAnew(PreparedStatement statement) throws SQLException {}

    /**
     * Creates an array that can be bound on this connection.
     *
     * @param type {@code uuid}, {@code bigint}, {@code integer}, {@code smallint}, {@code boolean} or {@code varchar}
     */
    public Array array(Connection connection, String type, @Nullable Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    /** Returns the statements for new jobs and their keys. */
    public abstract SubmissionSql submission();

    /** Returns the statements for changes by people and applications. */
    public abstract ByHandSql byHand();

    /** Returns the statements to claim, release and rescue jobs. */
    public abstract ClaimSql claims();

    /** Returns the statements for the outcomes of attempts, the end of jobs, the attempt log, and retention. */
    public abstract EndSql ends();

    /** Returns the statements for pages of unfinished jobs that are due now or soon. */
    public abstract PageSql pages();

    /** Returns the statements that read data for people and applications: single jobs, pages of jobs, and counts. */
    public ReadSql reads() {
        return new ReadSql();
    }

    /** Returns the statements for the statistics of each minute. */
    public abstract StatisticsSql statistics();

    /** Returns the statements for groups of jobs and their counts. */
    public abstract GroupSql groups();

    /** Returns the statements for the register of the cluster. */
    public abstract RegisterSql register();
}
