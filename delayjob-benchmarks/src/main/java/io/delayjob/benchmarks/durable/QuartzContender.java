package io.delayjob.benchmarks.durable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.spi.OperableTrigger;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Measures Quartz with its clustered JDBC store. One call acquires as many triggers as there are threads. */
record QuartzContender() implements Contender {

    private static final int THREADS = 16;

    private static final String NAME = "benchmark";

    private static final Map<String, Work> WORK = new ConcurrentHashMap<>();

    /** Only the store knows when the end of a job is committed, because Quartz calls listeners before the commit. */
    public static final class Store extends JobStoreTX {
        @Override
        public void triggeredJobComplete(
                OperableTrigger trigger, JobDetail job, CompletedExecutionInstruction instruction) {
            super.triggeredJobComplete(trigger, job, instruction);
            Work work = WORK.get(getInstanceId());
            if (work != null) {
                work.ended();
            }
        }
    }

    public static final class NoOp implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            try {
                Work work = WORK.get(context.getScheduler().getSchedulerInstanceId());
                if (work != null) {
                    work.run(context.getScheduledFireTime().toInstant());
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (SchedulerException broken) {
                throw new IllegalStateException(broken);
            }
        }
    }

    @Override
    public String tables() {
        try (InputStream script =
                Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        String id = UUID.randomUUID().toString();
        WORK.put(id, work);
        DBConnectionManager.getInstance().addConnectionProvider(id, new Connections(dataSource));
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceName",
                NAME,
                "org.quartz.scheduler.instanceId",
                id,
                "org.quartz.scheduler.skipUpdateCheck",
                "true",
                "org.quartz.scheduler.batchTriggerAcquisitionMaxCount",
                String.valueOf(THREADS),
                "org.quartz.threadPool.threadCount",
                String.valueOf(THREADS),
                "org.quartz.jobStore.class",
                Store.class.getName(),
                "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
                "org.quartz.jobStore.dataSource",
                id,
                "org.quartz.jobStore.isClustered",
                "true",
                "org.quartz.jobStore.acquireTriggersWithinLock",
                "true"));
        try {
            return new Running(id, new StdSchedulerFactory(properties).getScheduler());
        } catch (SchedulerException refused) {
            throw new IllegalStateException(refused);
        }
    }

    @Override
    public String unfinished() {
        return """
                SELECT 1 FROM qrtz_triggers
                WHERE sched_name = '%s' AND next_fire_time <= (EXTRACT(EPOCH FROM now()) * 1000)::BIGINT
                ORDER BY next_fire_time LIMIT 1
                """.formatted(NAME);
    }

    @Override
    public Pattern jobTables() {
        return Pattern.compile("\\bqrtz_(\\w*triggers|job_details)\\b", Pattern.CASE_INSENSITIVE);
    }

    /** Quartz writes jobs statement by statement, although in one transaction. */
    @Override
    public Duration timeToWrite(int jobs) {
        return Duration.ofMillis(5L * jobs);
    }

    @Override
    public String configuration() {
        return "clustered JobStoreTX, %1$d threads, acquires %1$d triggers at once, none ahead of its time; it does not poll for what it has scheduled itself"
                .formatted(THREADS);
    }

    private static JobDetail job() {
        return JobBuilder.newJob(NoOp.class)
                .withIdentity(UUID.randomUUID().toString())
                .build();
    }

    private static Trigger trigger(Instant due) {
        return TriggerBuilder.newTrigger()
                .withIdentity(UUID.randomUUID().toString())
                .startAt(Date.from(due))
                .build();
    }

    private record Running(String id, Scheduler scheduler) implements Instance {

        private interface Call {
            void run() throws SchedulerException;
        }

        @Override
        public void start() {
            call(scheduler::start);
        }

        @Override
        public void schedule(Instant due) {
            call(() -> scheduler.scheduleJob(job(), trigger(due)));
        }

        @Override
        public void scheduleAll(List<Instant> due) {
            call(() -> scheduler.scheduleJobs(
                    IntStream.range(0, due.size())
                            .boxed()
                            .collect(Collectors.toMap(i -> job(), i -> Set.of(trigger(due.get(i))))),
                    false));
        }

        @Override
        public void close() {
            call(() -> scheduler.shutdown(true));
            WORK.remove(id);
        }

        private static void call(Call call) {
            try {
                call.run();
            } catch (SchedulerException refused) {
                throw new IllegalStateException(refused);
            }
        }
    }

    private record Connections(DataSource dataSource) implements ConnectionProvider {

        @Override
        public Connection getConnection() throws SQLException {
            return dataSource.getConnection();
        }

        @Override
        public void shutdown() {}

        @Override
        public void initialize() {}
    }
}
