package io.delayjob.actuate.health;

import io.delayjob.status.EngineStatus;
import io.delayjob.status.EngineStatus.Trouble;
import io.delayjob.status.UnhandledName;
import io.delayjob.store.JobStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Shows {@code DOWN} if a background role has failed for longer than a lease. Reads only memory. Jobs without a handler
 * do not change the status, because they would not run without this instance either.
 */
final class DelayJobsHealthIndicator extends AbstractHealthIndicator {

    /** Maximum number of names in an answer, because monitoring systems store each answer. */
    private static final int MOST_NAMED = 50;

    private static final String MORE = "…";

    private final Supplier<EngineStatus> engine;
    private final JobStore store;
    private final Duration patience;

    DelayJobsHealthIndicator(Supplier<EngineStatus> engine, JobStore store, Duration patience) {
        super("delayjob's health check failed");
        this.engine = engine;
        this.store = store;
        this.patience = patience;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        EngineStatus status = engine.get();
        List<Trouble> troubles = status.troubles();
        if (!status.running()) {
            builder.outOfService();
        } else if (troubles.stream().anyMatch(trouble -> trouble.lasting().compareTo(patience) > 0)) {
            builder.down();
        } else {
            builder.up();
        }
        builder.withDetail("incarnation", status.incarnation())
                .withDetail("store", store.toString())
                .withDetail("durability", store.capabilities().durability().meaning())
                .withDetail("partitions", status.led().size())
                .withDetail("instances", status.instances().size())
                .withDetail("waiting", status.waiting())
                .withDetail("wheelLag", status.wheelLag().toString());
        if (!troubles.isEmpty()) {
            builder.withDetail("troubles", details(troubles));
        }
        if (!status.unhandled().isEmpty()) {
            builder.withDetail("unhandled", unhandled(status.unhandled()));
        }
        if (!status.queuesLeft().isEmpty()) {
            builder.withDetail("queuesBeyondMaximum", firstOf(status.queuesLeft()));
        }
    }

    private static Map<String, String> unhandled(List<UnhandledName> names) {
        Map<String, String> shown = new LinkedHashMap<>();
        names.stream()
                .sorted(Comparator.comparing(UnhandledName::name))
                .limit(MOST_NAMED)
                .forEach(name -> shown.put(name.name(), name.extent()));
        if (names.size() > MOST_NAMED) {
            shown.put(MORE, "%d more names".formatted(names.size() - MOST_NAMED));
        }
        return shown;
    }

    private static List<String> firstOf(Set<String> queues) {
        Stream<String> more =
                queues.size() > MOST_NAMED ? Stream.of("%d more".formatted(queues.size() - MOST_NAMED)) : Stream.of();
        return Stream.concat(queues.stream().sorted().limit(MOST_NAMED), more).toList();
    }

    private static Map<String, String> details(List<Trouble> troubles) {
        Map<String, String> details = new TreeMap<>();
        troubles.forEach(trouble -> details.put(trouble.role(), "for " + trouble.lasting() + ": " + trouble.error()));
        return details;
    }
}
