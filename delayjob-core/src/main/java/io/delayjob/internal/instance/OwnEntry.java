package io.delayjob.internal.instance;

import java.util.Set;
import java.util.function.Supplier;

/**
 * The entry of an instance in the register.
 *
 * @param incarnation the name of the instance, unique to this start of its process
 * @param queues the queues that it works, read at registration; empty if it only schedules
 * @param handlers the handlers that it runs, each by all its names, also read at registration
 */
public record OwnEntry(String incarnation, Supplier<Set<String>> queues, Supplier<Set<Set<String>>> handlers) {}
