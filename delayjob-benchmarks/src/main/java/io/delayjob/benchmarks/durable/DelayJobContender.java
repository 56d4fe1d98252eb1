package io.delayjob.benchmarks.durable;

import io.delayjob.EngineSettings;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.jdbc.JobSchema;
import io.delayjob.jdbc.dialect.Dialect;
import io.delayjob.jdbc.dialect.SqlTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** delayjob as it is by default. */
record DelayJobContender(boolean history) implements Contender {

    private static final String JOB = "no-op";

    @Override
    public String tables(Dialect dialect) {
        return JobSchema.ddl(dialect, SqlTemplate.DEFAULT_PREFIX, null);
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        EngineSettings.Builder settings = EngineSettings.defaults("benchmark#" + number).toBuilder();
        if (!history) {
            settings.history(new EngineSettings.HistorySettings(Duration.ZERO, Duration.ZERO, Duration.ofDays(30)));
        }
        Handler noOp = Handler.named(JOB).calls((arguments, job) -> {
            work.run(job.dueAt());
            return null;
        });
        return new Running(new BenchmarkEngine(dataSource, settings.build(), new JobListener() {}, List.of(noOp)));
    }

    @Override
    public String unfinished() {
        return "SELECT 1 FROM delayjob_job WHERE due_at <= EXTRACT(EPOCH FROM clock_timestamp()) * 1000 LIMIT 1";
    }

    @Override
    public String configuration() {
        return "defaults: 16 slots, 8 partitions, " + (history ? "finished jobs kept" : "finished jobs not kept");
    }

    private record Running(BenchmarkEngine engine) implements Instance {

        @Override
        public void start() {
            engine.start();
        }

        @Override
        public void schedule(Instant due) {
            engine.jobs().schedule(JOB).at(due);
        }

        @Override
        public void scheduleAll(List<Instant> due) {
            engine.write(JOB, due);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
