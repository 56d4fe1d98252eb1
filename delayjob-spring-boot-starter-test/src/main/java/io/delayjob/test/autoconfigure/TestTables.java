package io.delayjob.test.autoconfigure;

import io.delayjob.job.Job;
import io.delayjob.spring.JobStoreCustomizer;
import io.delayjob.store.Durability;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.test.VirtualTime;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.Ordered;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Prevents tests in virtual time from using the job tables of a real application. A test in virtual time would run the
 * application's jobs of the coming years.
 *
 * <p><strong>Traces of real time.</strong> A trace of real time is a job that was scheduled no later than the present
 * time of the database. Another trace is a registered instance without the {@linkplain #incarnation mark} of virtual
 * time. If virtual time starts in the future, earlier test runs have scheduled their jobs in the future. So these jobs
 * are not traces.
 *
 * <p><strong>Tables of the tests.</strong> Tables belong to the tests if the first application context of this JVM
 * found no traces there. Contexts with virtual time and contexts without virtual time may share the tables of the
 * tests. Therefore a context without virtual time also checks the tables before it writes. Otherwise, the jobs of that
 * context would later look like traces of real time. Thread-safe.
 */
final class TestTables implements JobStoreCustomizer, Ordered {

    private static final Logger log = LoggerFactory.getLogger(TestTables.class);

    private static final String VIRTUAL = "virtual-time:";

    private static final int MOST_NAMED = 3;

    /**
     * Tells for each set of tables whether it belongs to the tests. The results are kept, because each JVM makes only
     * one test run.
     */
    private static final Map<String, Boolean> OWN = new ConcurrentHashMap<>();

    private final Supplier<@Nullable DataSource> dataSource;
    private final Function<String, @Nullable DataSource> named;
    private final String tablePrefix;
    private final @Nullable VirtualTime time;

    /** @param time virtual time of this application context; {@code null} if its time is real */
    TestTables(
            Supplier<@Nullable DataSource> dataSource,
            Function<String, @Nullable DataSource> named,
            String tablePrefix,
            @Nullable VirtualTime time) {
        this.dataSource = dataSource;
        this.named = named;
        this.tablePrefix = tablePrefix;
        this.time = time;
    }

    /** Adds the mark of virtual time to the name of an instance. */
    static String incarnation(String incarnation) {
        return VIRTUAL + incarnation;
    }

    /** Runs first, so that its reads do not go through any wrapper of the store. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public JobStore customize(JobStore store) {
        return checked(store, dataSource.get());
    }

    @Override
    public JobStore customize(JobStore store, String name) {
        return checked(store, named.apply(name));
    }

    private JobStore checked(JobStore store, @Nullable DataSource dataSource) {
        DataSource database = store.capabilities().durability() == Durability.PROCESS ? null : dataSource;
        if (database == null || EmbeddedDatabaseConnection.isEmbedded(database)) {
            return store;
        }
        try {
            String tables = tables(database);
            boolean own = OWN.computeIfAbsent(tables, first -> findRealTime(store) == null);
            String found = own || time == null ? null : findRealTime(store);
            if (found != null) {
                throw new SharedTablesException(
                        "Virtual time cannot use the tables %s, because an application in real time uses them: found %s. The test would run their jobs and move schedules years ahead."
                                .formatted(tables, found),
                        "Give the test a database of its own, or tables of its own (delayjob.jdbc.table-prefix=test_"
                                + " with delayjob.jdbc.initialize-schema=always), or set delayjob.store=memory.");
            }
        } catch (StoreException | MetaDataAccessException unusable) {
            log.debug(
                    "The test cannot read the job tables yet. When delayjob starts, it checks the tables and reports "
                            + "what is wrong.",
                    unusable);
        }
        return store;
    }

    private static @Nullable String findRealTime(JobStore store) {
        String instances = store.instances().list().stream()
                .map(InstanceRow::incarnation)
                .filter(incarnation -> !incarnation.startsWith(VIRTUAL))
                .collect(Collectors.joining(", "));
        if (!instances.isEmpty()) {
            return "registered instances " + instances;
        }
        Instant now = Instant.EPOCH.plus(Duration.ofNanos(store.clockMicros() * 1_000));
        List<Job> jobs = store.find(JobQuery.all(), now).stream()
                .filter(job -> !job.scheduledAt().isAfter(now))
                .toList();
        if (jobs.isEmpty()) {
            return null;
        }
        String names =
                jobs.stream().map(Job::name).distinct().limit(MOST_NAMED).collect(Collectors.joining("', '", "'", "'"));
        return "jobs of %s, the first scheduled at %s"
                .formatted(names, jobs.get(0).scheduledAt());
    }

    /** The text contains every value that decides which tables a connection uses. */
    private String tables(DataSource database) throws MetaDataAccessException {
        return JdbcUtils.extractDatabaseMetaData(database, metaData -> {
            Connection connection = metaData.getConnection();
            return "%s* of %s (catalog %s, schema %s, user %s)"
                    .formatted(
                            tablePrefix,
                            withoutParameters(metaData.getURL()),
                            connection.getCatalog(),
                            connection.getSchema(),
                            metaData.getUserName());
        });
    }

    /** The parameters of the URL may contain a password. */
    private static String withoutParameters(String url) {
        return url.replaceFirst("[?;].*", "");
    }
}
