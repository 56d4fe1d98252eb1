package io.delayjob.jdbc;

import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The DDL of the tables. It is shipped as {@code io/delayjob/jdbc/schema-<platform>.sql}, with the usual names, to be
 * read, applied by Spring Boot or copied into a migration; it may be applied again and again.
 */
public final class JobSchema {

    /** Where the scripts are, in the form of Spring Boot's initialisation settings. */
    public static final String LOCATION = "classpath:io/delayjob/jdbc/schema-@@platform@@.sql";

    private JobSchema() {}

    /**
     * The statements for a database, separated by semicolons.
     *
     * @param tablePrefix what the tables' names begin with
     * @param schema the schema they lie in; {@code null} for the connection's own
     * @throws IllegalArgumentException for a table prefix or schema that cannot be one
     */
    public static String ddl(Dialect dialect, String tablePrefix, @Nullable String schema) {
        return ddl(dialect, new SqlTemplate(tablePrefix, schema));
    }

    static String ddl(Dialect dialect, SqlTemplate template) {
        String name = "schema-" + dialect.platform() + ".sql";
        try (InputStream script = JobSchema.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException(
                        "Missing %s beside %s: the jar is not whole.".formatted(name, JobSchema.class));
            }
            return template.rename(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
