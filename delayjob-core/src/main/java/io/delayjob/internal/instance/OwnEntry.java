package io.delayjob.internal.instance;

import io.delayjob.store.Vitals;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * @param incarnation the name of the instance, different for each start of its process
 * @param queues supplies the queues, when the instance registers; none if the instance only schedules jobs
 * @param handlers supplies all names of each handler, when the instance registers
 */
public record OwnEntry(
        String incarnation,
        Supplier<Set<String>> queues,
        Supplier<Set<Set<String>>> handlers,
        Supplier<@Nullable Vitals> vitals) {}
