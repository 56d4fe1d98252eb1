package io.delayjob.benchmarks.durable;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Measures db-scheduler with the settings that its performance page recommends for 50 threads. The pause between two
 * polls is the shortest sensible pause.
 *
 * @param lockAndFetch whether db-scheduler uses the polling strategy that is meant for more than a thousand jobs a
 *     second
 */
record DbSchedulerContender(boolean lockAndFetch) implements Contender {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final int THREADS = 50;
    private static final double LOWER = 0.5;
    private static final double UPPER = 4.0;

    /** The ids ascend, as in the documentation of db-scheduler. */
    private static final long FIRST_ID = 1_000_000_000;

    @Override
    public String tables() {
        return """
                CREATE TABLE scheduled_tasks (
                    task_name TEXT NOT NULL, task_instance TEXT NOT NULL, task_data BYTEA,
                    execution_time TIMESTAMP WITH TIME ZONE NOT NULL, picked BOOLEAN NOT NULL, picked_by TEXT,
                    last_success TIMESTAMP WITH TIME ZONE, last_failure TIMESTAMP WITH TIME ZONE,
                    consecutive_failures INT, last_heartbeat TIMESTAMP WITH TIME ZONE, version BIGINT NOT NULL,
                    priority SMALLINT, PRIMARY KEY (task_name, task_instance));
                CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
                CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
                """;
    }

    @Override
    public Instance open(DataSource dataSource, Work work, int number) {
        OneTimeTask<Void> noOp = Tasks.oneTime("no-op").execute((instance, context) -> {
            try {
                work.run(context.getExecution().executionTime);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        SchedulerBuilder builder = Scheduler.create(dataSource, noOp)
                .schedulerName(new SchedulerName.Fixed("benchmark-" + number))
                .threads(THREADS)
                .pollingInterval(POLL)
                .addSchedulerListener(new AbstractSchedulerListener() {
                    @Override
                    public void onExecutionComplete(ExecutionComplete executed) {
                        work.ended();
                    }
                });
        builder = lockAndFetch ? builder.pollUsingLockAndFetch(LOWER, UPPER) : builder.pollUsingFetch(LOWER, UPPER);
        return new Running(builder.build(), noOp, new AtomicLong(FIRST_ID));
    }

    @Override
    public String unfinished() {
        return "SELECT 1 FROM scheduled_tasks WHERE execution_time <= now() ORDER BY execution_time LIMIT 1";
    }

    @Override
    public Pattern jobTables() {
        return Pattern.compile("\\bscheduled_tasks\\b");
    }

    @Override
    public Duration poll() {
        return POLL;
    }

    @Override
    public String configuration() {
        return "%s %.1f-%.1f, %d threads, polls every %d ms; many at once by scheduleBatch"
                .formatted(lockAndFetch ? "lock-and-fetch" : "fetch", LOWER, UPPER, THREADS, POLL.toMillis());
    }

    private record Running(Scheduler scheduler, OneTimeTask<Void> task, AtomicLong nextId) implements Instance {

        @Override
        public void start() {
            scheduler.start();
        }

        @Override
        public void schedule(Instant due) {
            scheduler.schedule(newInstance(), due);
        }

        @Override
        public void scheduleAll(List<Instant> due) {
            scheduler.scheduleBatch(due.stream()
                    .map(instant -> SchedulableInstance.of(newInstance(), instant))
                    .collect(Collectors.toList()));
        }

        private TaskInstance<Void> newInstance() {
            return task.instance(String.valueOf(nextId.getAndIncrement()));
        }

        @Override
        public void close() {
            scheduler.stop();
        }
    }
}
