package io.delayjob.autoconfigure;

import io.delayjob.jdbc.dialect.SqlTemplate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.util.StringUtils;

/**
 * Creates the job tables, under the names that are configured. A bean of this type replaces the auto-configured one.
 */
public class DelayJobSchemaInitializer extends DataSourceScriptDatabaseInitializer {

    /** More than there are tables and indexes: at each of them another instance that starts just now may come first. */
    private static final int MAX_ATTEMPTS = 20;

    private static final String PLATFORM = "@@platform@@";

    private final SqlTemplate names;

    /** Creates them in {@code dataSource}, as the properties say. */
    public DelayJobSchemaInitializer(DataSource dataSource, DelayJobJdbcProperties properties) {
        super(dataSource, settings(dataSource, properties));
        this.names = new SqlTemplate(properties.tablePrefix(), null);
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
            // Not by the name of the driver, lest a MariaDB behind the driver of MySQL be taken for a MySQL.
            platform = JobDatabase.dialect(dataSource).platform();
        }
        return StringUtils.hasText(platform)
                ? platforms.resolveAll(platform, properties.schema())
                : List.of(properties.schema());
    }

    @Override
    protected void runScripts(Scripts scripts) {
        List<Resource> renamed = StreamSupport.stream(scripts.spliterator(), false)
                .map(this::renamed)
                .toList();
        runRepeatedly(new Scripts(renamed)
                .continueOnError(scripts.isContinueOnError())
                .separator(scripts.getSeparator())
                .encoding(StandardCharsets.UTF_8));
    }

    /**
     * Two instances that start at the same time create the tables at the same time. On PostgreSQL {@code IF NOT EXISTS}
     * does not keep one of them from failing then; what it meets at the next attempt exists.
     */
    private void runRepeatedly(Scripts scripts) {
        for (int attempt = 1; ; attempt++) {
            try {
                super.runScripts(scripts);
                return;
            } catch (ScriptException error) {
                if (attempt == MAX_ATTEMPTS) {
                    throw error;
                }
            }
        }
    }

    private Resource renamed(Resource script) {
        try {
            String ddl = names.rename(script.getContentAsString(StandardCharsets.UTF_8));
            return new ByteArrayResource(ddl.getBytes(StandardCharsets.UTF_8), script.getDescription());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Cannot read " + script, unreadable);
        }
    }
}
