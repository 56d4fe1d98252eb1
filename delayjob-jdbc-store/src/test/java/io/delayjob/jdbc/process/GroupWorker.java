package io.delayjob.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.settings.EngineSettings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.springframework.jdbc.core.JdbcTemplate;

/** A process that runs members of a group, and the job that follows it, until it is killed. */
final class GroupWorker {

    static final String MEMBER = "member";
    static final String DONE = "done";

    private GroupWorker() {}

    /** Writes a row for each call of a member. */
    record Members(JdbcTemplate jdbc) {

        public void call(long number) {
            jdbc.update("INSERT INTO ledger (what, member) VALUES ('member', ?)", number);
        }

        /** Returns the handler to which {@code Members::call} refers. */
        Handler handler() {
            return Handler.named(MEMBER)
                    .concurrency(8)
                    .method(new HandlerMethod(Members.class, "call", "(J)V"))
                    .parameters(new PayloadParameter("number", long.class))
                    .calls((arguments, job) -> {
                        call((Long) arguments.get(0));
                        return null;
                    });
        }
    }

    /** @param arguments URL of the database, name of the instance */
    public static void main(String[] arguments) throws InterruptedException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(12);
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        Handler done = Handler.named(DONE).calls((payload, job) -> {
            jdbc.update("INSERT INTO ledger (what) VALUES ('done')");
            int left = jdbc.queryForObject("SELECT COUNT(*) FROM delayjob_job WHERE name = 'member'", Integer.class);
            if (left > 0) {
                jdbc.update("INSERT INTO ledger (what) VALUES ('early')");
            }
            return null;
        });
        new TestEngine(pool, settings(arguments[1]), new JobListener() {}, new Members(jdbc).handler(), done).start();
        new CountDownLatch(1).await();
    }

    static EngineSettings settings(String name) {
        return EngineSettings.defaults(name + "#1").toBuilder()
                .liveness(Duration.ofSeconds(4))
                .heartbeat(Duration.ofMillis(800))
                .leaseDuration(Duration.ofSeconds(4))
                .build();
    }
}
