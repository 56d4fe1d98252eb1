package io.delayjob.status;

import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.wheel.LevelOccupancy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The present state of an engine, read from memory without a request to the store.
 *
 * @param running whether the engine was started and not stopped
 * @param number the number of the instance in the register; 0 if the instance is not registered yet
 * @param led the partitions that the instance leads
 * @param instances all instances in the register, including this instance
 * @param waiting number of rows in the timing wheel
 * @param ready number of due rows that are not claimed
 * @param attempts number of attempts that are under way
 * @param stuck attempts that continue after their timeout, and still occupy their slots
 * @param paused handlers and queues that are paused in the whole cluster
 * @param unhandled handler names for which jobs are waiting, although no instance has a handler with this name. Only
 *     one instance of the cluster searches for such jobs. On all other instances, the list is empty
 * @param queuesLeft the queues that have jobs but are not run by this instance. The instance has already reached its
 *     maximum number of queues
 * @param unwritten number of ended attempts whose outcome is not written yet
 * @param workers the worker slots of each queue
 * @param waitingForRate number of due rows in memory that wait because of their handler's rate, by handler name. Rows
 *     that wait because the handler {@linkplain io.delayjob.handler.JobContext#rest rests} are counted, too
 * @param waitingForMutex number of due rows in memory that wait for their mutex
 * @param busyMutexes the mutexes that due rows in memory are waiting for; at most {@value BusyMutex#MOST_LISTED}. The
 *     mutex with the largest number of waiting rows comes first
 * @param limitedKeys the rate keys that due rows in memory are waiting for; at most {@value LimitedKey#MOST_LISTED}.
 *     The key with the largest number of waiting rows comes first
 * @param clusterSlots the slots that this instance has for a handler, by handler name. The map contains only handlers
 *     whose limit applies to the whole cluster
 * @param wheel the number of timers on each level of the timing wheel
 * @param cascades number of timers that have moved to a lower level of the timing wheel
 * @param wheelLag lateness of the timer that fired last
 * @param troubles the background tasks that have a problem
 */
public record EngineStatus(
        boolean running,
        String incarnation,
        long number,
        List<Partition> led,
        List<Sighting> instances,
        int waiting,
        int ready,
        int attempts,
        List<StuckAttempt> stuck,
        Paused paused,
        List<UnhandledName> unhandled,
        Set<String> queuesLeft,
        int unwritten,
        Map<String, SlotUse> workers,
        Map<String, Integer> waitingForRate,
        int waitingForMutex,
        List<BusyMutex> busyMutexes,
        List<LimitedKey> limitedKeys,
        Map<String, ClusterSlots> clusterSlots,
        List<LevelOccupancy> wheel,
        long cascades,
        Duration wheelLag,
        List<Trouble> troubles) {

    /**
     * A background task with a problem: its calls fail, or the task has been waiting for the store for seconds.
     *
     * @param role name of the background task
     * @param lasting the time since the last successful call to the task
     * @param error the message of the latest failure, or a text that says what the task waits for
     */
    public record Trouble(String role, Duration lasting, String error) {}

    /** Returns the number of claimed jobs that have not started yet. In the store, these jobs are {@code RUNNING}. */
    public int claimed() {
        return workers.values().stream().mapToInt(SlotUse::claimed).sum();
    }

    /** Returns the status of an engine that does not run. */
    public static EngineStatus stopped(String incarnation) {
        return new EngineStatus(
                false,
                incarnation,
                0,
                List.of(),
                List.of(),
                0,
                0,
                0,
                List.of(),
                Paused.NOTHING,
                List.of(),
                Set.of(),
                0,
                Map.of(),
                Map.of(),
                0,
                List.of(),
                List.of(),
                Map.of(),
                List.of(),
                0,
                Duration.ZERO,
                List.of());
    }
}
