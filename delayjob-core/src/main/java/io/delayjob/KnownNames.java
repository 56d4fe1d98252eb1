package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.QueueNames;
import io.delayjob.job.AlikeNames;
import io.delayjob.job.JobState;
import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.job.Printable;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the handlers and queues that the cluster knows. Handlers of other instances, and names of waiting jobs, are
 * known, too. Thread-safe.
 */
final class KnownNames {

    private static final int MOST_NAMED = 5;

    private final QueueNames queueNames;
    private final JobStore store;
    private final HandlerRegistry handlers;

    KnownNames(EngineSettings settings, JobStore store, HandlerRegistry handlers) {
        this.queueNames = new QueueNames(settings, handlers);
        this.store = store;
        this.handlers = handlers;
    }

    /**
     * A pause of one name stops the handler wherever the handler has this name. So all present and former names, in all
     * registered versions, are paused together.
     */
    Paused handler(String name) {
        Texts.checkStoredName(name);
        Set<Set<String>> running = new HashSet<>(store.instances().handlers());
        running.addAll(handlers.allNames());
        if (running.stream().noneMatch(names -> names.contains(name)) && !isPaused(name) && !waits(name)) {
            Set<String> known = running.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
            known.addAll(store.paused().handlers());
            throw new UnknownNameException(
                    "Unknown handler '%s': no instance has a handler of that name, and no waiting job has that name. %s."
                            .formatted(Printable.of(name), offer("handlers", name, known)));
        }
        return Paused.handlers(aliases(name, running));
    }

    private static Set<String> aliases(String name, Set<Set<String>> running) {
        Set<String> aliases = new HashSet<>(Set.of(name));
        int before;
        do {
            before = aliases.size();
            running.stream()
                    .filter(names -> !Collections.disjoint(names, aliases))
                    .forEach(aliases::addAll);
        } while (aliases.size() > before);
        return aliases;
    }

    private boolean isPaused(String name) {
        return store.paused().handlers().contains(name);
    }

    /**
     * The store has no index on names. With 1970 as the present time, the query also finds waiting jobs that are due.
     */
    private boolean waits(String name) {
        JobQuery waiting = JobQuery.state(JobState.DELAYED).name(name).limit(1);
        return JobWalk.over(waiting, page -> store.find(page, Instant.EPOCH))
                .findFirst()
                .isPresent();
    }

    Paused queue(String name) {
        Handler.checkQueue(name);
        Set<String> known = queues();
        if (!known.contains(name)) {
            throw new UnknownNameException(
                    "Unknown queue '%s': it is not configured, no instance serves it, and it holds no unfinished job. %s."
                            .formatted(name, offer("queues", name, known)));
        }
        return Paused.queue(name);
    }

    SortedSet<String> queues() {
        SortedSet<String> known = queueNames.declared();
        known.addAll(store.paused().queues());
        store.instances().list().stream().map(InstanceRow::queues).forEach(known::addAll);
        store.partitionsInUse().keySet().stream().map(Partition::queue).forEach(known::add);
        return known;
    }

    private static String offer(String what, String name, Collection<String> known) {
        if (known.isEmpty()) {
            return "There are no %s at all, so start an instance that has some".formatted(what);
        }
        String nearest = AlikeNames.of(name, known, MOST_NAMED).stream()
                .map(other -> "'" + Printable.of(other) + "'")
                .collect(Collectors.joining(", "));
        return known.size() <= MOST_NAMED
                ? "The %s are %s".formatted(what, nearest)
                : "The most similar of %d %s are %s".formatted(known.size(), what, nearest);
    }
}
