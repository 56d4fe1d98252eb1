package io.delayjob.store;

import io.delayjob.job.JobId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The register of instances, with their heartbeats. Methods throw {@link StoreException}. A call with an unregistered
 * number is not an error, and does nothing. After {@link #register} has returned, every read of the register, on any
 * instance, contains the new instance. Without this promise, a rescue could repeat a job that still runs. When an
 * instance is removed, the notices to it are deleted, too. Implementations send heartbeats on a separate connection,
 * because a busy pool must not delay them. Thread-safe.
 */
public interface InstanceStore {

    /**
     * Registers an instance. The register assumes that the instance applies no pauses, until the instance {@linkplain
     * #acknowledgePauses confirms} them.
     *
     * @param incarnation the name of the instance, unique to this start of this process
     * @param queues the queues whose jobs it runs; empty for an instance that only schedules
     * @param handlers the handlers that it runs, each as the set of its present and former names
     * @return the number of the instance, greater than 0; no other instance ever gets this number
     */
    long register(String incarnation, Set<String> queues, Set<Set<String>> handlers);

    /**
     * Sends one heartbeat: adds one to the instance's counter, and stores its vitals.
     *
     * @param stopping whether it claims no more jobs
     * @param vitals the instance's present vitals, which replace the earlier ones; {@code null} to store none
     * @return the store's clock in microseconds since the epoch; empty if the instance is no longer registered
     */
    OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals);

    /**
     * Returns all registered instances, the pauses, and the jobs of the given instance that are to be cancelled. This
     * must take only one read, because each instance calls this method with each heartbeat. The result has no vitals,
     * because only people need them.
     *
     * @param number the number of the calling instance; 0 for any other caller
     */
    ClusterView look(long number);

    /** Returns all registered instances with their vitals, for people. */
    List<InstanceRow> list();

    /**
     * Returns the handlers of each registered instance, by the number of the instance. Each handler is a set of its
     * present and former names. The result of {@link #look} does not contain the handlers, because there may be many,
     * and they hardly ever change. This method serves people and applications that start. So heartbeats must not wait
     * for it.
     */
    Map<Long, Set<Set<String>>> handlersByInstance();

    /** Returns the handlers that registered instances run. A renamed handler may appear once for each version. */
    default Set<Set<String>> handlers() {
        return handlersByInstance().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /**
     * Deletes the notices to this instance about the cancellation of these jobs, because the instance has read them.
     * There may be thousands of jobs, and the next heartbeat of the instance waits for this call.
     */
    void forgetCancellations(long number, Collection<JobId> jobs);

    /**
     * Stores the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that an instance applies
     * from now on. Does nothing if the instance is no longer registered.
     */
    void acknowledgePauses(long number, long fingerprint);

    /**
     * Removes a silent instance from the register, unless it has sent a heartbeat since.
     *
     * @param beats the heartbeat counter that the caller has read last
     * @return whether this call has removed the instance
     */
    boolean remove(long number, long beats);

    /** Removes an instance that has stopped regularly. */
    void deregister(long number);
}
