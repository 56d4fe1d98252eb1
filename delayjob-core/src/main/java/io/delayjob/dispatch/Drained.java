package io.delayjob.dispatch;

/**
 * What has become of the attempts that were under way when a stop began to wait for them.
 *
 * @param ended how many ended within the grace
 * @param interrupted how many did not, and were interrupted
 * @param left how many of these still go on, and keep what they have claimed
 */
public record Drained(int ended, int interrupted, int left) {}
