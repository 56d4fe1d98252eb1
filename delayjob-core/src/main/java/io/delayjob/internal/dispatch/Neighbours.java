package io.delayjob.internal.dispatch;

import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;

/**
 * Questions that the lanes ask other stations, and calls that tell them of a change.
 *
 * @param expectsRows whether rows wait in memory for their time
 * @param led number of partitions of a queue that this instance leads at the moment
 * @param onRoom called when a lane that had refused rows has much room again, or no longer has enough rows
 * @param onWork called when there may be something to claim or to release
 */
public record Neighbours(BooleanSupplier expectsRows, ToIntFunction<String> led, Runnable onRoom, Runnable onWork) {}
