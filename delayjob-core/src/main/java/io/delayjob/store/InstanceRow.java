package io.delayjob.store;

import io.delayjob.job.Job;
import io.delayjob.job.JobLog;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes one registered instance.
 *
 * @param incarnation the name of the instance; each start of a process has a different name
 * @param queues the queues that the instance works on
 * @param stopping whether the instance is stopping, so that it claims no more jobs
 * @param beats number of the instance's heartbeats; 0 just after the registration of the instance
 * @param pausesHeld the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of a set of pauses; the instance
 *     has confirmed that it follows these pauses
 * @param vitals the vitals of the last heartbeat; {@code null} if there are none. In the result of {@link
 *     InstanceStore#look}, the value is always {@code null}
 */
public record InstanceRow(
        long number,
        String incarnation,
        Set<String> queues,
        boolean stopping,
        long beats,
        long pausesHeld,
        @Nullable Vitals vitals) {

    /** Returns a copy of this row without vitals. {@link InstanceStore#look} returns such rows. */
    public InstanceRow withoutVitals() {
        return new InstanceRow(number, incarnation, queues, stopping, beats, pausesHeld, null);
    }

    /** Returns the progress that the instance has reported for the present attempt of this job. */
    public Optional<Vitals.Progress> progressOf(Job job) {
        return vitals == null || number != job.owner()
                ? Optional.empty()
                : vitals.progress().stream()
                        .filter(told -> told.job().equals(job.id()) && told.attempt() == job.attempt())
                        .findFirst();
    }

    /** Returns the lines that the instance has reported for the present attempt of this job. */
    public Optional<JobLog> logOf(Job job) {
        return vitals == null || number != job.owner()
                ? Optional.empty()
                : vitals.logs().stream()
                        .filter(told -> told.job().equals(job.id()))
                        .map(Vitals.Log::log)
                        .filter(log -> log.attempt() == job.attempt())
                        .findFirst();
    }
}
