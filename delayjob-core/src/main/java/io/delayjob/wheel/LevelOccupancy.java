package io.delayjob.wheel;

import java.time.Duration;

/**
 * Contains the number of timers on one level of a wheel.
 *
 * @param level number of the level; level 0 has the shortest slots
 * @param slotWidth the time that one of the level's 256 slots covers
 * @param timers number of timers on this level
 */
public record LevelOccupancy(int level, Duration slotWidth, int timers) {}
