package io.delayjob.spring;

import io.delayjob.schedule.Repeat;

/**
 * A handler that starts by itself.
 *
 * @param name its name
 * @param repeat when it starts
 */
record DeclaredSchedule(String name, Repeat repeat) {}
