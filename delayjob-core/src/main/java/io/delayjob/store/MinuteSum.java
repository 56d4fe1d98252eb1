package io.delayjob.store;

/**
 * What all instances did for one handler in one bucket of a {@link MinuteSpan}.
 *
 * @param bucket from 0
 * @param name the handler, or {@link MinuteRow#OTHERS}
 */
public record MinuteSum(int bucket, String name, MinuteCounts counts) {}
