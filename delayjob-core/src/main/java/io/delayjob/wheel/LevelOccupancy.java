package io.delayjob.wheel;

import java.time.Duration;

/**
 * The number of timers on one level of a wheel.
 *
 * @param level number of the level; 0 is the finest
 * @param slotWidth the time that one of the level's 256 slots covers; on level 0, this is the tick
 * @param timers number of timers that wait on this level
 */
public record LevelOccupancy(int level, Duration slotWidth, int timers) {}
