package io.delayjob.internal.instance;

import io.delayjob.store.Vitals;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The facts about itself that an instance writes to the register and sends with its heartbeats.
 *
 * @param incarnation the name of the instance, unique to this start of its process
 * @param queues the queues whose jobs it runs, read at registration; empty if it only schedules
 * @param handlers the handlers that it runs, each as the set of all its names, also read at registration
 * @param vitals the vitals that it sends with each heartbeat
 */
public record OwnEntry(
        String incarnation,
        Supplier<Set<String>> queues,
        Supplier<Set<Set<String>>> handlers,
        Supplier<@Nullable Vitals> vitals) {}
