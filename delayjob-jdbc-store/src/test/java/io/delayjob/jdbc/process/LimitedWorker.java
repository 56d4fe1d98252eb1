package io.delayjob.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.event.JobListener;
import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Handler;
import io.delayjob.handler.JobHandler;
import io.delayjob.jdbc.TestEngine;
import io.delayjob.job.JobId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;

/** A process that runs jobs of a handler with a limit in the cluster, until it is killed. */
final class LimitedWorker {

    static final String NAME = "limited";
    static final int LIMIT = 3;

    private LimitedWorker() {}

    /** @param arguments URL of the database, name of the instance */
    public static void main(String[] arguments) throws InterruptedException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[0]);
        pool.setMaximumPoolSize(12);
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        String worker = arguments[1];
        Handler handler = handler((payload, job) -> {
            String id = job.id().toString();
            jdbc.update("INSERT INTO under_way VALUES (?, ?)", id, worker);
            jdbc.update("INSERT INTO ledger SELECT ?, count(*) FROM under_way", id);
            return CompletableFuture.runAsync(
                    () -> jdbc.update("DELETE FROM under_way WHERE job = ? AND worker = ?", id, worker),
                    CompletableFuture.delayedExecutor(lengthMillis(job.id()), TimeUnit.MILLISECONDS));
        });
        new TestEngine(pool, GroupWorker.settings(worker), new JobListener() {}, handler).start();
        new CountDownLatch(1).await();
    }

    /** Returns how long an attempt takes. A third takes so long that slots change hands meanwhile. */
    private static long lengthMillis(JobId id) {
        long hash = id.value().getLeastSignificantBits();
        return Math.floorMod(hash, 3) == 0 ? 1_000 + Math.floorMod(hash, 1_000) : 20;
    }

    static Handler handler(JobHandler body) {
        return Handler.named(NAME)
                .concurrency(LIMIT)
                .scope(ConcurrencyScope.CLUSTER)
                .calls(body);
    }
}
