package io.delayjob.autoconfigure;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.util.StringUtils;

/**
 * Creates the job tables under the configured names. Existing tables and indexes stay untouched, so a start never waits
 * for transactions of other instances. A bean of this type replaces the auto-configured bean.
 */
public class DelayJobSchemaInitializer extends DataSourceScriptDatabaseInitializer {

    private static final Logger log = LoggerFactory.getLogger(DelayJobSchemaInitializer.class);

    /**
     * This maximum is higher than the number of tables and indexes. An attempt fails if another instance creates the
     * same table or index first. So each table and each index may cost one attempt.
     */
    private static final int MAX_ATTEMPTS = 60;

    private static final Duration PAUSE = Duration.ofMillis(800);

    private static final String LOCKED_FOR_TOO_LONG =
            "The script of the job tables could not be applied within a minute, because other "
                    + "transactions used a job table all the time. End long transactions, or apply the script by "
                    + "hand and set delayjob.jdbc.initialize-schema=never.";

    private static final Pattern LOCATION = Pattern.compile("^Failed to execute SQL script statement .*?]: ");

    private static final Pattern COMMENT = Pattern.compile("--.*|/\\*[\\s\\S]*?\\*/");

    private static final String PLATFORM = "@@platform@@";

    private final DelayJobJdbcProperties properties;
    private final SqlTemplate names;

    /** Creates the tables in {@code dataSource} according to these properties. */
    public DelayJobSchemaInitializer(DataSource dataSource, DelayJobJdbcProperties properties) {
        super(dataSource, settings(dataSource, properties));
        this.properties = properties;
        this.names = properties.tables();
    }

    private static DatabaseInitializationSettings settings(DataSource dataSource, DelayJobJdbcProperties properties) {
        DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
        settings.setSchemaLocations(locations(dataSource, properties));
        settings.setMode(properties.initializeSchema());
        return settings;
    }

    private static List<String> locations(DataSource dataSource, DelayJobJdbcProperties properties) {
        PlatformPlaceholderDatabaseDriverResolver platforms = new PlatformPlaceholderDatabaseDriverResolver();
        @Nullable String platform = properties.platform();
        if (!StringUtils.hasText(platform) && properties.schema().contains(PLATFORM)) {
            // The driver is not enough, because MySQL's driver also connects to MariaDB.
            platform = JobDatabase.dialect(dataSource, properties).platform();
        }
        return StringUtils.hasText(platform)
                ? platforms.resolveAll(platform, properties.schema())
                : List.of(properties.schema());
    }

    /**
     * On PostgreSQL, a statement may fail in spite of {@code IF NOT EXISTS} if another instance starts at the same
     * time.
     */
    @Override
    protected void runScripts(Scripts scripts) {
        boolean waited = false;
        for (int attempt = 1; ; attempt++) {
            try {
                DatabasePopulatorUtils.execute(connection -> makeMissing(connection, scripts), getDataSource());
                return;
            } catch (ScriptException error) {
                boolean locked = isLocked(error);
                if (attempt == MAX_ATTEMPTS || !(error instanceof ScriptStatementFailedException)) {
                    throw locked ? new IllegalStateException(LOCKED_FOR_TOO_LONG, error) : explained(error);
                }
                if (locked) {
                    pause(error, waited);
                    waited = true;
                }
            }
        }
    }

    private static void pause(ScriptException locked, boolean again) {
        if (!again) {
            log.info(
                    "delayjob cannot change a job table yet, because a transaction uses it. delayjob tries again "
                            + "every second, up to {} times. The reason: {}",
                    MAX_ATTEMPTS,
                    locked.getMessage());
        }
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    private RuntimeException explained(ScriptException error) {
        if (!(error.getCause() instanceof SQLException refusal)) {
            return error;
        }
        try (Connection connection = Objects.requireNonNull(getDataSource()).getConnection()) {
            DatabaseMetaData database = connection.getMetaData();
            Dialect dialect = JobDatabase.dialect(connection, properties);
            // Only the statement before the script causes an error without its text.
            String statement = error instanceof ScriptStatementFailedException
                    ? LOCATION.matcher(String.valueOf(error.getMessage())).replaceFirst("")
                    : String.valueOf(dialect.limitLockWaits());
            return dialect.isOwnOf(database)
                    ? error
                    : JobDatabaseException.unsupported(
                            dialect.refusal(database.getDatabaseProductName(), statement, refusal));
        } catch (SQLException away) {
            error.addSuppressed(away);
            return error;
        }
    }

    private void makeMissing(Connection connection, Scripts scripts) throws SQLException {
        PresentTables present = new PresentTables(connection);
        for (Resource script : scripts) {
            String missing = present.withoutThem(names.rename(text(script)));
            if (!COMMENT.matcher(missing).replaceAll("").isBlank()) {
                Resource rest =
                        new ByteArrayResource(missing.getBytes(StandardCharsets.UTF_8), script.getDescription());
                execute(connection, new EncodedResource(rest, StandardCharsets.UTF_8), scripts);
            }
        }
    }

    private static String text(Resource script) {
        try {
            return script.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Cannot read " + script, unreadable);
        }
    }

    /** A pooler may share the session, so the limit applies only to the transaction. */
    private void execute(Connection connection, EncodedResource statements, Scripts scripts) throws SQLException {
        String limit = JobDatabase.dialect(connection, properties).limitLockWaits();
        if (limit == null) {
            executeAsTheyAre(connection, statements, scripts);
            return;
        }
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(limit);
            executeAsTheyAre(connection, statements, scripts);
            connection.commit();
        } catch (ScriptException | SQLException error) {
            connection.rollback();
            throw error;
        } finally {
            connection.setAutoCommit(autoCommit);
        }
    }

    private static void executeAsTheyAre(Connection connection, EncodedResource statements, Scripts scripts) {
        boolean ignoreFailedDrops = false;
        ScriptUtils.executeSqlScript(
                connection,
                statements,
                scripts.isContinueOnError(),
                ignoreFailedDrops,
                ScriptUtils.DEFAULT_COMMENT_PREFIXES,
                scripts.getSeparator(),
                ScriptUtils.DEFAULT_BLOCK_COMMENT_START_DELIMITER,
                ScriptUtils.DEFAULT_BLOCK_COMMENT_END_DELIMITER);
    }

    private boolean isLocked(ScriptException error) {
        return error.getCause() instanceof SQLException cause
                && new SQLErrorCodeSQLExceptionTranslator(getDataSource()).translate("making tables", null, cause)
                        instanceof PessimisticLockingFailureException;
    }
}
