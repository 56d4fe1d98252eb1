package io.delayjob.dispatch;

/**
 * The worker slots of a queue on this instance.
 *
 * @param active slots taken by attempts
 * @param max slots there are
 */
public record SlotUse(int active, int max) {}
