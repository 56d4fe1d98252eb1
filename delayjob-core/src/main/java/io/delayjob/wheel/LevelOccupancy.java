package io.delayjob.wheel;

import java.time.Duration;

/**
 * How full one level of a wheel is.
 *
 * @param level number of the level; 0 is the finest
 * @param slotWidth time that one of the level's 256 slots stands for; on level 0 it is the tick
 * @param timers timers that wait on this level
 */
public record LevelOccupancy(int level, Duration slotWidth, int timers) {}
