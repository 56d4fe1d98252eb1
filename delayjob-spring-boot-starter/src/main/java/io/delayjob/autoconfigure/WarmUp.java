package io.delayjob.autoconfigure;

import io.delayjob.handler.Handler;
import io.delayjob.job.DueRow;
import io.delayjob.job.JobId;
import io.delayjob.job.Partition;
import io.delayjob.store.JobStore;
import io.delayjob.store.StoreException;
import io.delayjob.time.EngineClock;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Tries to claim a job that does not exist, soon after the start. Otherwise, the first job of a new JVM would be late.
 */
final class WarmUp implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    private static final long NOBODY = 0;

    /** No job has this id. */
    private static final DueRow NO_ROW =
            new DueRow(new JobId(new UUID(0, 0)), new Partition(Handler.DEFAULT_QUEUE, 0), "warm-up", 0, 0, null);

    private final ApplicationContext context;
    private final JobStore store;
    private final EngineClock clock;
    private final Executor workers;

    WarmUp(ApplicationContext context, JobStore store, EngineClock clock, Executor workers) {
        this.context = context;
        this.store = store;
        this.clock = clock;
        this.workers = workers;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() == context) {
            workers.execute(this::claimNothing);
        }
    }

    private void claimNothing() {
        try {
            store.claim(List.of(NO_ROW), NOBODY, 0, clock.storeTime());
        } catch (StoreException away) {
            log.debug(
                    "delayjob could not warm up the job store by a test claim, so the first job may start about "
                            + "100 ms late.",
                    away);
        }
    }
}
