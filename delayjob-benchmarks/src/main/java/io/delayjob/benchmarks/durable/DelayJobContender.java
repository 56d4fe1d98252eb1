package io.delayjob.benchmarks.durable;

import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.jdbc.JobSchema;
import io.delayjob.job.Job;
import io.delayjob.job.JobOutcome;
import io.delayjob.job.Transition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.settings.HistorySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Measures delayjob with its default settings. */
record DelayJobContender(boolean history) implements Contender {

    private static final String JOB = "no-op";
    private static final int PARTITIONS = EngineSettings.defaults(JOB).queues().partitions();

    /** The method reference {@code NoOp::run} names the handler. */
    @FunctionalInterface
    interface NoOp {
        void run(Integer number);
    }

    @Override
    public String tables() {
        return JobSchema.ddl("postgresql", JobSchema.DEFAULT_PREFIX, null);
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        EngineSettings.Builder settings = EngineSettings.defaults("benchmark#" + number).toBuilder();
        if (!history) {
            settings.history(
                    new HistorySettings(Duration.ZERO, Duration.ZERO, Duration.ofDays(30), Duration.ofDays(7)));
        }
        Handler noOp = Handler.named(JOB)
                .method(new HandlerMethod(NoOp.class, "run", "(Ljava/lang/Integer;)V"))
                .parameters(new PayloadParameter("number", Integer.class, true))
                .calls((arguments, job) -> {
                    work.run(job.dueAt());
                    return null;
                });
        JobListener ends = new JobListener() {
            @Override
            public void completed(Job job, JobOutcome outcome, Transition next, Duration took) {
                work.ended();
            }
        };
        return new Running(new BenchmarkEngine(dataSource, settings.build(), ends, List.of(noOp)));
    }

    @Override
    public String unfinished() {
        return """
            SELECT 1
            FROM delayjob_queue q
            CROSS JOIN generate_series(0, %d - 1) AS p(number)
            CROSS JOIN LATERAL (
                SELECT 1 FROM delayjob_job j
                WHERE j.partition_id = q.number * 1024 + p.number
                    AND j.due_at <= (EXTRACT(EPOCH FROM now()) * 1000)::BIGINT
                ORDER BY j.due_at LIMIT 1
            ) AS due
            LIMIT 1
            """.formatted(PARTITIONS);
    }

    @Override
    public Pattern jobTables() {
        return Pattern.compile("\\bdelayjob_job\\b");
    }

    @Override
    public String configuration() {
        return "defaults: 16 slots, %d partitions, finished jobs %s; bulk by withEach, other loads written past the engine"
                .formatted(PARTITIONS, history ? "kept" : "not kept");
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
        public void scheduleBulk(int count, Instant due) {
            engine.jobs()
                    .schedule(NoOp::run)
                    .withEach(IntStream.range(0, count).boxed().toList())
                    .at(due);
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
