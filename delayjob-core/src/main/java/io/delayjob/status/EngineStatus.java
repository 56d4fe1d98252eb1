package io.delayjob.status;

import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.wheel.LevelOccupancy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The present state of an engine, taken from its memory. Reading it costs the store nothing.
 *
 * @param running whether the engine was started and not stopped
 * @param incarnation the name of its instance
 * @param number its number in the register; 0 before it was registered
 * @param led the partitions it leads
 * @param instances all instances in the register, including this one
 * @param waiting number of rows in the wheel
 * @param ready number of due rows that are not claimed
 * @param attempts number of attempts under way
 * @param stuck attempts that outlived their time-out, were written off, and still keep their slots
 * @param paused handlers and queues that are paused in the whole cluster
 * @param unhandled names of waiting jobs that no instance handles; empty unless this instance does the search for the
 * cluster
 * @param queuesLeft queues with jobs that this instance does not work, because it already works the maximum
 *     number
 * @param unwritten number of ended attempts that are not durable yet
 * @param workers worker slots by queue
 * @param waitingForRate number of due rows in memory that wait for the rate of their handler or queue, by handler
 * @param wheel the occupancy of each level of the wheel
 * @param cascades number of timers that have moved to a lower level
 * @param wheelLag lateness of the wheel at its last expiry
 * @param troubles background roles that do not work at the moment
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
        List<LevelOccupancy> wheel,
        long cascades,
        Duration wheelLag,
        List<Trouble> troubles) {

    /**
     * A background role that does not work at the moment: it fails, or has been waiting for the store for seconds.
     *
     * @param role the name of the role
     * @param lasting the time since it last worked
     * @param error the message of its latest failure, or what it waits for
     */
    public record Trouble(String role, Duration lasting, String error) {}

    /**
     * Returns the number of jobs that are claimed here and have not started. In the store they are {@code RUNNING},
     * like attempts under way.
     */
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
                List.of(),
                0,
                Duration.ZERO,
                List.of());
    }
}
