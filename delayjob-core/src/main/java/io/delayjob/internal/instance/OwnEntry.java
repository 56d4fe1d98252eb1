package io.delayjob.internal.instance;

import io.delayjob.store.Vitals;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Contains what this instance writes about itself into the register and sends with its heartbeats.
 *
 * @param incarnation the name of the instance; each start of its process has a different name
 * @param queues supplies the queues when the instance registers. The instance runs the jobs of these queues. If the
 *     instance only schedules jobs, there are no queues
 * @param handlers supplies the handlers of the instance, when the instance registers: for each handler, the set of all
 *     its names
 * @param vitals supplies the vitals for each heartbeat
 */
public record OwnEntry(
        String incarnation,
        Supplier<Set<String>> queues,
        Supplier<Set<Set<String>>> handlers,
        Supplier<@Nullable Vitals> vitals) {}
