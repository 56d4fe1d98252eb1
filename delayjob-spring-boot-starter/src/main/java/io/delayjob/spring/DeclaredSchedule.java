package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import java.util.Set;

/**
 * A handler that starts by itself.
 *
 * @param name its name
 * @param formerNames names it had
 * @param queue its queue
 * @param repeat when it starts
 */
record DeclaredSchedule(String name, Set<String> formerNames, String queue, Repeat repeat) {}
