package io.delayjob.store;

import io.delayjob.job.JobId;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The register of instances: who works on this store, and whose heart beats. Methods throw {@link StoreException}.
 * Implementations beat on a connection of their own, so that a busy pool silences nobody. Thread-safe.
 */
public interface InstanceStore {

    /**
     * Enters an instance, which holds no pauses until it {@linkplain #acknowledgePauses says} so.
     *
     * @param incarnation its name, unique to this start of this process
     * @param queues the queues whose handlers it runs; empty for one that only schedules
     * @param handlers those handlers, each by all its names, present and former
     * @return its number: never used before, never used again, greater than 0
     */
    long register(String incarnation, Set<String> queues, Set<Set<String>> handlers);

    /**
     * One heartbeat: raises the instance's counter by one.
     *
     * @param stopping whether it takes no more work
     * @return the store's clock in microseconds since the epoch; empty when the instance is not registered any more
     */
    OptionalLong beat(long number, boolean stopping);

    /**
     * All registered instances, what is paused, and which jobs of the given instance are to be cancelled: one read, for
     * each instance repeats it with its heartbeats.
     *
     * @param number the instance that looks; 0 for somebody else
     */
    ClusterView look(long number);

    /** All registered instances: for people, as {@link #handlers}. */
    default List<InstanceRow> list() {
        return look(0).instances();
    }

    /**
     * All handlers that registered instances run, each by all its names, present and former; one that was renamed may
     * be there once for each version of it. In no {@linkplain #look look}, for they may be many and hardly ever change:
     * it is people who ask, and starts of applications, and they should not make a heartbeat wait.
     */
    Set<Set<String>> handlers();

    /**
     * Takes down what was noted about these jobs for that instance: it has passed it on. They may be thousands, and its
     * next heartbeat waits.
     */
    void forgetCancellations(long number, Collection<JobId> jobs);

    /**
     * Writes to the register which pauses an instance holds from now on: their {@linkplain
     * io.delayjob.job.Paused#fingerprint() fingerprint}. Does nothing if it is no longer registered.
     */
    void acknowledgePauses(long number, long fingerprint);

    /**
     * Takes a silent instance out of the register, unless its heart has beaten since.
     *
     * @param beats its counter as it was seen last
     * @return whether it is out now by this call
     */
    boolean remove(long number, long beats);

    /** Takes an instance out that has stopped in good order. */
    void deregister(long number);
}
