package io.delayjob.autoconfigure;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.settings.EngineSettings;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns if the pool has too few connections for the atomic handlers. If the pool has no connection for an atomic
 * handler, the application does not start.
 */
final class AtomicHandlersWarning implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(AtomicHandlersWarning.class);

    private final ApplicationContext context;
    private final HandlerRegistry handlers;
    private final EngineSettings settings;
    private final JobPool pool;

    AtomicHandlersWarning(ApplicationContext context, HandlerRegistry handlers, EngineSettings settings, JobPool pool) {
        this.context = context;
        this.handlers = handlers;
        this.settings = settings;
        this.pool = pool;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() == context && settings.worker()) {
            warn();
        }
    }

    private void warn() {
        int connections = pool.mostConnections().orElse(Integer.MAX_VALUE);
        Map<String, Long> mostAtATime = mostAtATime();
        long held = mostAtATime.values().stream().mapToLong(Long::longValue).sum();
        if (held > 0 && connections <= JobPool.KEPT_FREE) {
            throw JobDatabaseException.poolTooSmall(
                    connections,
                    JobPool.KEPT_FREE + 1,
                    "the heartbeat, an attempt of an atomic handler and a call that schedules a job need "
                            + "one connection each");
        }
        if (held > 0 && held + JobPool.OWN_CONNECTIONS > connections) {
            log.warn(
                    "Atomic handlers may need {} connections at a time (by queue: {}). But the pool has only {} "
                            + "connections, which these handlers share with delayjob and with your own code. So some "
                            + "attempts or callers wait for a connection. Enlarge the pool to {} connections, plus those that your own code needs, or "
                            + "lower the concurrency of these handlers or queues.",
                    held,
                    mostAtATime,
                    connections,
                    held + JobPool.OWN_CONNECTIONS);
        }
    }

    private Map<String, Long> mostAtATime() {
        Map<String, Long> byHandlers = handlers.all().stream()
                .filter(handler ->
                        handler.atomic() && settings.queue(handler.queue()).enabled())
                .collect(Collectors.groupingBy(
                        Handler::queue, TreeMap::new, Collectors.summingLong(Handler::concurrency)));
        byHandlers.replaceAll(
                (queue, atATime) -> Math.min(atATime, settings.queue(queue).concurrency()));
        return byHandlers;
    }
}
