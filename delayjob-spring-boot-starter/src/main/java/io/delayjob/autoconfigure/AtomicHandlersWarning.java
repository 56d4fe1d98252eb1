package io.delayjob.autoconfigure;

import io.delayjob.EngineSettings;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Says, once all handlers are known, when atomic ones can take every connection of the pool: each holds one while it runs, and
 * the others, the application's requests among them, then wait for them.
 */
final class AtomicHandlersWarning implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(AtomicHandlersWarning.class);

    /** One for heartbeats, one for claims, one for completions. */
    private static final int DELAYJOBS_OWN = 3;

    private final ApplicationContext context;
    private final HandlerRegistry handlers;
    private final EngineSettings settings;
    private final DataSource dataSource;
    private final DataSourcePoolMetadataProvider pools;

    /** @param context the one to listen to, and none of its children */
    AtomicHandlersWarning(
            ApplicationContext context,
            HandlerRegistry handlers,
            EngineSettings settings,
            DataSource dataSource,
            DataSourcePoolMetadataProvider pools) {
        this.context = context;
        this.handlers = handlers;
        this.settings = settings;
        this.dataSource = dataSource;
        this.pools = pools;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() == context && settings.worker()) {
            warn();
        }
    }

    private void warn() {
        DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
        @Nullable Integer connections = pool == null ? null : pool.getMax();
        if (connections == null || connections <= 0) {
            return;
        }
        Map<String, Long> mostAtATime = mostAtATime();
        long held = mostAtATime.values().stream().mapToLong(Long::longValue).sum();
        if (held > 0 && held + DELAYJOBS_OWN > connections) {
            log.warn(
                    "Atomic handlers may hold {} connections at a time {}, and delayjob needs {} of its own, but the pool has {} at"
                            + " the most: attempts, and the application's requests, will wait for one. Lower the concurrency of these"
                            + " handlers or of their queues, or give the pool {} and what the application needs.",
                    held,
                    mostAtATime,
                    DELAYJOBS_OWN,
                    connections,
                    held + DELAYJOBS_OWN);
        }
    }

    /** Of each queue, how many attempts of atomic handlers may run at a time. */
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
