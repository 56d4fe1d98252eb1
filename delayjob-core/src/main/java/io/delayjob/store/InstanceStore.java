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
 * number is not an error, and does nothing. Once {@link #register} has returned, every later read of the register, on
 * any instance, contains the new instance; rescues rely on that. Notes for an instance are deleted with it.
 * Implementations send heartbeats on a separate connection, so that an instance with a busy pool does not look silent.
 * Thread-safe.
 */
public interface InstanceStore {

    /**
     * Registers an instance. It counts as following no pauses until it {@linkplain #acknowledgePauses confirms} them.
     *
     * @param incarnation the name of the instance, unique to this start of this process
     * @param queues the queues that it works; empty for an instance that only schedules
     * @param handlers the handlers that it runs, each by all its names, present and former
     * @return the number of the instance: never used before, never used again, greater than 0
     */
    long register(String incarnation, Set<String> queues, Set<Set<String>> handlers);

    /**
     * Sends one heartbeat: raises the instance's counter by one, and stores its vitals.
     *
     * @param stopping whether it takes no more work
     * @param vitals the instance's present vitals, which replace the earlier ones; {@code null} to store none
     * @return the store's clock in microseconds since the epoch; empty if the instance is no longer registered
     */
    OptionalLong beat(long number, boolean stopping, @Nullable Vitals vitals);

    /**
     * Returns all registered instances, the pauses, and the jobs of the given instance that are to be cancelled. This
     * must take only one read, because each instance calls it with its heartbeats. The result has no vitals, because
     * only people need them.
     *
     * @param number the number of the instance that looks; 0 for any other caller
     */
    ClusterView look(long number);

    /** Returns all registered instances with their vitals, for people, as {@link #handlers} does. */
    List<InstanceRow> list();

    /**
     * Returns the handlers of each registered instance, by the number of the instance. Each handler is a set of its
     * present and former names. They are not part of a {@linkplain #look look}, because they may be many and hardly
     * ever change. Only people and starting applications ask for them, and heartbeats should not wait for such reads.
     */
    Map<Long, Set<Set<String>>> handlersByInstance();

    /** Returns the handlers that registered instances run. A renamed handler may appear once for each version. */
    default Set<Set<String>> handlers() {
        return handlersByInstance().values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    }

    /**
     * Deletes the notices about these jobs for that instance, because the instance has passed them on. There may be
     * thousands, and the instance's next heartbeat waits for this call.
     */
    void forgetCancellations(long number, Collection<JobId> jobs);

    /**
     * Writes to the register the {@linkplain io.delayjob.job.Paused#fingerprint() fingerprint} of the pauses that an
     * instance follows from now on. Does nothing if the instance is no longer registered.
     */
    void acknowledgePauses(long number, long fingerprint);

    /**
     * Removes a silent instance from the register, unless it has sent a heartbeat since.
     *
     * @param beats the heartbeat counter that was seen last
     * @return whether this call has removed it
     */
    boolean remove(long number, long beats);

    /** Removes an instance that has stopped in good order. */
    void deregister(long number);
}
