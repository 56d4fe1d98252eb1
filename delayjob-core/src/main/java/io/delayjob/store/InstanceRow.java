package io.delayjob.store;

import io.delayjob.job.Job;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One registered instance.
 *
 * @param number the number of the instance
 * @param incarnation the name of the instance, unique to one start of one process
 * @param queues the queues that it works
 * @param stopping whether it takes no more work
 * @param beats number of its heartbeats, 0 after its registration
 * @param pausesHeld the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that this instance
 * has confirmed
 * @param vitals the vitals of its last heartbeat; {@code null} in a {@linkplain InstanceStore#look look}, before its
 * first heartbeat, and if its version sends none
 */
public record InstanceRow(
        long number,
        String incarnation,
        Set<String> queues,
        boolean stopping,
        long beats,
        long pausesHeld,
        @Nullable Vitals vitals) {

    /** The row without its vitals, as a {@linkplain InstanceStore#look look} has it. */
    public InstanceRow withoutVitals() {
        return new InstanceRow(number, incarnation, queues, stopping, beats, pausesHeld, null);
    }

    /**
     * Returns the progress that the instance has reported of this job; empty unless it runs the job's present attempt.
     */
    public Optional<Vitals.Progress> progressOf(Job job) {
        return vitals == null || number != job.owner()
                ? Optional.empty()
                : vitals.progress().stream()
                        .filter(told -> told.job().equals(job.id()) && told.attempt() == job.attempt())
                        .findFirst();
    }
}
