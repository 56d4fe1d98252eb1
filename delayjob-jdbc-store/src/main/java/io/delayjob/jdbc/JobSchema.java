package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The DDL of the tables. The jar contains this DDL as {@code io/delayjob/jdbc/schema-<platform>.sql}, with the default
 * names. It can be applied by Spring Boot or copied into a migration, and may be applied repeatedly.
 */
public final class JobSchema {

    /** Location of the scripts, in the form of Spring Boot's initialisation settings. */
    public static final String LOCATION = "classpath:io/delayjob/jdbc/schema-@@platform@@.sql";

    private JobSchema() {}

    /**
     * Returns the statements for a database, separated by semicolons.
     *
     * @param tablePrefix prefix of the tables' names
     * @param schema schema of the tables; {@code null} for the connection's own
     * @throws IllegalArgumentException if the table prefix or schema is invalid
     */
    public static String ddl(Dialect dialect, String tablePrefix, @Nullable String schema) {
        return ddl(dialect, new SqlTemplate(tablePrefix, schema));
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
