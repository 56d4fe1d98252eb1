package io.delayjob.benchmarks.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jobrunr.jobs.filters.ApplyStateFilter;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/** Measures JobRunr, the open-source edition, with the shortest poll interval that it accepts. */
record JobRunrContender() implements Contender {

    private static final Duration POLL = Duration.ofSeconds(5);
    private static final int WORKERS = 16;

    private static final Map<UUID, Work> WORK = new ConcurrentHashMap<>();

    /** JobRunr calls only public methods of public classes. */
    public static final class Job {

        private Job() {}

        public static void run(UUID measurement, long dueMillis) throws InterruptedException {
            Work work = WORK.get(measurement);
            if (work != null) {
                work.run(Instant.ofEpochMilli(dueMillis));
            }
        }
    }

    @Override
    public String tables() {
        return "";
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        UUID measurement = UUID.randomUUID();
        WORK.put(measurement, work);
        Jackson3JsonMapper json = new Jackson3JsonMapper();
        PostgresStorageProvider storage = new PostgresStorageProvider(dataSource);
        storage.setJobMapper(new JobMapper(json));
        BackgroundJobServer server = new BackgroundJobServer(
                storage,
                json,
                null,
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL)
                        .andWorkerCount(WORKERS));
        // JobRunr calls this filter when it has stored the state of a job.
        ApplyStateFilter ends = (job, old, state) -> {
            if (state.getName() == StateName.SUCCEEDED) {
                work.ended();
            }
        };
        server.setJobFilters(List.of(ends));
        return new Running(measurement, server, new JobScheduler(storage));
    }

    @Override
    public String unfinished() {
        return """
                (SELECT 1 FROM jobrunr_jobs WHERE state = 'ENQUEUED' ORDER BY updatedat LIMIT 1)
                UNION ALL
                (SELECT 1 FROM jobrunr_jobs WHERE state = 'PROCESSING' ORDER BY updatedat LIMIT 1)
                UNION ALL
                (SELECT 1 FROM jobrunr_jobs WHERE state = 'SCHEDULED' AND scheduledat <= now() AT TIME ZONE 'UTC'
                    ORDER BY scheduledat LIMIT 1)
                """;
    }

    @Override
    public Pattern jobTables() {
        return Pattern.compile("\\bjobrunr_jobs\\b");
    }

    @Override
    public Duration poll() {
        return POLL;
    }

    /** JobRunr writes jobs one after the other. */
    @Override
    public Duration timeToWrite(int jobs) {
        return Duration.ofMillis(5L * jobs);
    }

    @Override
    public String configuration() {
        return "%d workers, polls every %d s, the least that it takes for SQL, and starts what comes due until the next poll"
                .formatted(WORKERS, POLL.toSeconds());
    }

    /** This type is a class, because JobRunr cannot read the class files of records. */
    private static final class Running implements Instance {

        private final UUID measurement;
        private final BackgroundJobServer server;
        private final JobScheduler scheduler;

        Running(UUID measurement, BackgroundJobServer server, JobScheduler scheduler) {
            this.measurement = measurement;
            this.server = server;
            this.scheduler = scheduler;
        }

        @Override
        public void start() {
            server.start();
        }

        @Override
        public void schedule(Instant due) {
            UUID id = measurement;
            long dueMillis = due.toEpochMilli();
            scheduler.schedule(due, () -> Job.run(id, dueMillis));
        }

        /** JobRunr accepts many jobs in one call only if all these jobs are already due. */
        @Override
        public void scheduleAll(List<Instant> due) {
            UUID id = measurement;
            if (due.stream().allMatch(Instant.now()::isAfter)) {
                scheduler.<Long>enqueue(due.stream().map(Instant::toEpochMilli), millis -> Job.run(id, millis));
            } else {
                due.forEach(this::schedule);
            }
        }

        @Override
        public void close() {
            server.stop();
            WORK.remove(measurement);
        }
    }
}
