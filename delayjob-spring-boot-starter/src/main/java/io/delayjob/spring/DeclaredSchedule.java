package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a self-starting handler.
 *
 * @param repeat {@code null} if the schedule is disabled
 */
record DeclaredSchedule(String name, @Nullable Repeat repeat) {}
