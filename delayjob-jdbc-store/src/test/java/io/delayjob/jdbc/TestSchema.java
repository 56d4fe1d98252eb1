package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** Makes delayjob's tables, as an application's start would, and empties them. */
public final class TestSchema {

    private TestSchema() {}

    /** Makes the tables with their usual names. */
    public static void apply(DataSource dataSource) {
        apply(dataSource, JobSchema.DEFAULT_PREFIX, null);
    }

    static void apply(DataSource dataSource, String prefix, @Nullable String schema) {
        try {
            String ddl = JobSchema.ddl(
                    JdbcUtils.extractDatabaseMetaData(dataSource, Dialect::of).platform(), prefix, schema);
            new ResourceDatabasePopulator(new ByteArrayResource(ddl.getBytes(StandardCharsets.UTF_8)))
                    .execute(dataSource);
        } catch (MetaDataAccessException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Empties the tables; numbers of instances and queues are not used again. */
    static void clear(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : new String[] {
                "job",
                "history",
                "attempt",
                "instance",
                "queue",
                "notice",
                "identity",
                "minute",
                "group",
                "group_change"
            }) {
                statement.execute("DELETE FROM delayjob_" + table);
            }
        } catch (SQLException error) {
            throw new IllegalStateException(error);
        }
    }
}
