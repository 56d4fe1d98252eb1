package io.delayjob.internal.dispatch;

/**
 * What has become of the attempts that were under way when a stop began to wait for them.
 *
 * @param interrupted how many did not end within the grace, and were interrupted
 * @param left how many of these still go on, and keep what they have claimed
 */
public record Drained(int interrupted, int left) {}
