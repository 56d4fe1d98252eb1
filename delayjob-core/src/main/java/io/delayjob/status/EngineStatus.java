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
 * @param number the number of the instance in the register; 0 before it was registered
 * @param led the partitions that the instance leads
 * @param instances all instances in the register, including this instance
 * @param waiting number of rows in the timing wheel
 * @param ready number of due rows that are not claimed
 * @param attempts number of attempts under way
 * @param stuck attempts that did not end after their timeout, and still take their slots
 * @param paused handlers and queues that are paused in the whole cluster
 * @param unhandled names of waiting jobs that no instance has a handler for. Only one instance of the cluster searches
 *     for them; the list is empty on all others
 * @param queuesLeft queues with jobs that this instance does not run, because it has the maximum number of queues
 * @param unwritten number of ended attempts without a written outcome
 * @param workers worker slots by queue
 * @param waitingForRate number of due rows in memory that wait for a rate, by handler name
 * @param waitingForMutex number of due rows in memory that wait for their mutex
 * @param busyMutexes mutexes that due rows in memory wait for, the most wanted first; at most
 *     {@value BusyMutex#MOST_LISTED}
 * @param limitedKeys rate keys that due rows in memory wait for, the most wanted first; at most
 *     {@value LimitedKey#MOST_LISTED}
 * @param clusterSlots slots of this instance, by the name of each handler with a limit in the whole cluster
 * @param wheel the number of timers on each level of the timing wheel
 * @param cascades number of timers that have moved to a lower level of the timing wheel
 * @param wheelLag lateness of the timer that fired last
 * @param troubles background tasks with a problem
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
     * A background task with a problem: its calls fail, or it has been waiting for the store for seconds.
     *
     * @param role name of the background task
     * @param lasting the time since the last successful call to the task
     * @param error the message of the latest failure, or what the task waits for
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
