package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import io.delayjob.internal.jdbc.dialect.SqlTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Returns the DDL that creates the job tables. The jar contains this DDL, with the default names, in a script for each
 * platform: {@code io/delayjob/jdbc/schema-<platform>.sql}. Spring Boot can apply the script, or you can copy the
 * script into a migration. The script may be applied repeatedly.
 */
public final class JobSchema {

    /** Location of the schema scripts. It contains Spring Boot's placeholder for the platform of the database. */
    public static final String LOCATION = "classpath:io/delayjob/jdbc/schema-@@platform@@.sql";

    /** The default prefix of the tables' names. */
    public static final String DEFAULT_PREFIX = SqlTemplate.DEFAULT_PREFIX;

    private JobSchema() {}

    /**
     * Returns the statements that create the tables, separated by semicolons.
     *
     * @param platform Spring Boot's name of the database: {@code h2}, {@code mariadb}, {@code mysql} or {@code
     *     postgresql}
     * @param tablePrefix prefix of the tables' names
     * @param schema schema of the tables; {@code null} for the schema of the connection
     * @throws IllegalArgumentException if the platform is unknown, or the table prefix or schema is invalid
     */
    public static String ddl(String platform, String tablePrefix, @Nullable String schema) {
        return ddl(Dialect.named(platform), new SqlTemplate(tablePrefix, schema));
    }

    static String ddl(Dialect dialect, SqlTemplate template) {
        String name = "schema-" + dialect.platform() + ".sql";
        try (InputStream script = JobSchema.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException(
                        "Missing %s beside %s: the jar is incomplete; build or download it again."
                                .formatted(name, JobSchema.class));
            }
            return template.rename(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
