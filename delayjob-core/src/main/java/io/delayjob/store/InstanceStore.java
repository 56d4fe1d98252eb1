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
 * Stores the register of instances, with their heartbeats. If a method fails, it throws a {@link StoreException}. If no
 * instance is registered under the number in a call, the call does nothing. This is no error. After {@link #register}
 * has returned, all instances see the new instance in the register. Otherwise, a rescue could repeat a job that is
 * still running. When an instance is removed, its stored notices are deleted, too. Implementations send heartbeats on a
 * separate connection, because heartbeats must not wait for a busy connection pool. Thread-safe.
 */
public interface InstanceStore {

    /**
     * Registers an instance. Until the instance {@linkplain #acknowledgePauses confirms} the pauses, the register
     * assumes that the instance applies no pauses.
     *
     * @param incarnation the name of the instance; each start of a process has a different name
     * @param queues the queues whose jobs the instance runs; empty if the instance only schedules jobs
     * @param handlers the handlers of the instance; each handler is represented by the set of its present and former
     *     names
     * @return the number of the instance, greater than 0; no other instance ever gets this number
     */
    long register(String incarnation, Set<String> queues, Set<Set<String>> handlers);

    /**
     * Sends one heartbeat of an instance: adds one to its counter, and stores its vitals.
     *
     * @param stopping whether the instance is stopping; a stopping instance claims no more jobs
     * @param vitals the instance's present vitals, which replace the earlier vitals; {@code null} to store no vitals
     * @return the time of the store's clock in microseconds since the epoch; empty if the instance is no longer
     *     registered
     */
    OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals);

    /**
     * Returns all registered instances and the pauses. If a cancellation was requested for a job of the given instance,
     * the result also contains this job. Each heartbeat makes this call. Therefore the store must answer the call with
     * a single read. The result contains no vitals.
     *
     * @param number the number of the calling instance; 0 for any other caller
     */
    ClusterView look(long number);

    /** Returns all registered instances with their vitals, to show them to people. */
    List<InstanceRow> list();

    /**
     * Returns the handlers of each registered instance, by the number of the instance. Each handler is represented by
     * the set of its present and former names. The result may contain many handlers. Therefore no heartbeat makes this
     * call.
     */
    Map<Long, Set<Set<String>>> handlersByInstance();

    /**
     * Returns the handlers of all registered instances. Each handler is represented by the set of its present and
     * former names. If versions of the application use different names for a handler, the handler may appear several
     * times.
     */
    default Set<Set<String>> handlers() {
        return handlersByInstance().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /**
     * Deletes this instance's cancellation notices for the given jobs. The call may name thousands of jobs. The
     * instance sends its next heartbeat only after this call.
     */
    void forgetCancellations(long number, Collection<JobId> jobs);

    /**
     * Stores the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that an instance applies
     * from now on.
     */
    void acknowledgePauses(long number, long fingerprint);

    /**
     * Removes a silent instance from the register, unless the instance has sent another heartbeat.
     *
     * @param beats the heartbeat counter that the caller has read last
     * @return whether this call has removed the instance
     */
    boolean remove(long number, long beats);

    /** Removes an instance that has stopped normally. */
    void deregister(long number);
}
