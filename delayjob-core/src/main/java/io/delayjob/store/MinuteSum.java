package io.delayjob.store;

/**
 * Contains the statistics of one handler on all instances, in one bucket of a {@link MinuteSpan}.
 *
 * @param bucket number of the bucket, from 0
 * @param name the handler, or {@link MinuteRow#OTHERS}
 */
public record MinuteSum(int bucket, String name, MinuteCounts counts) {}
