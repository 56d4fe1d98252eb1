package io.delayjob.status;

import io.delayjob.job.Partition;
import io.delayjob.job.Paused;
import io.delayjob.wheel.LevelOccupancy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How an engine stands at this moment, as far as its own memory knows: reading it costs the store nothing.
 *
 * @param running whether it was started and not stopped
 * @param incarnation its name
 * @param number its number in the register; 0 before it was registered
 * @param led the partitions it leads
 * @param instances all instances that are not given up, this one included
 * @param waiting rows in the wheel
 * @param ready due rows that are not claimed
 * @param attempts attempts under way
 * @param stuck those of them that outlived their time-out, were written off, and still keep their slots
 * @param paused handlers and queues that are paused in the whole cluster
 * @param unhandled names of waiting jobs that no instance handles, as far as this instance looks for the cluster
 * @param queuesLeft queues with jobs that it does not work, because it works the maximum number already
 * @param unwritten ended attempts that are not durable yet
 * @param workers worker slots by queue
 * @param wheel how full each level of the wheel is
 * @param cascades how often a timer has moved to a lower level
 * @param wheelLag how late the wheel was at its last expiry
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
        List<LevelOccupancy> wheel,
        long cascades,
        Duration wheelLag,
        List<Trouble> troubles) {

    /**
     * A background role that does not work at the moment: it fails, or has been waiting for the store for seconds.
     *
     * @param role which one
     * @param lasting for how long
     * @param error what its latest failure said, or what it waits for
     */
    public record Trouble(String role, Duration lasting, String error) {}

    /** Jobs that are claimed here and have not started; {@code RUNNING} in the store, like attempts under way. */
    public int claimed() {
        return workers.values().stream().mapToInt(SlotUse::claimed).sum();
    }

    /** The status of an engine that does not run. */
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
                List.of(),
                0,
                Duration.ZERO,
                List.of());
    }
}
