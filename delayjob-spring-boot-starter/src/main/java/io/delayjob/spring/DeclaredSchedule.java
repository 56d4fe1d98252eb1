package io.delayjob.spring;

import io.delayjob.schedule.Repeat;
import org.jspecify.annotations.Nullable;

/**
 * A handler that starts by itself, or whose schedule is switched off.
 *
 * @param name its name
 * @param repeat when it starts; {@code null}: it is switched off
 */
record DeclaredSchedule(String name, @Nullable Repeat repeat) {}
