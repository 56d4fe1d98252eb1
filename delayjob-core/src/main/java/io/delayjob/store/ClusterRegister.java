package io.delayjob.store;

import io.delayjob.job.Paused;
import java.time.Instant;

/**
 * What the instances that share a store know of each other: who is registered, what is paused, the time, and the
 * store's identity. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface ClusterRegister {

    /** The register of instances. */
    InstanceStore instances();

    /**
     * Pauses handlers and queues: from when the instances have {@linkplain InstanceStore#look looked} on, none of them
     * starts a job of theirs. Attempts under way go on.
     *
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return whether any of them was not paused before
     */
    boolean pause(Paused what, Instant now, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return whether any of them was paused
     */
    boolean resume(Paused what, Runnable committed);

    /** What is paused. */
    Paused paused();

    /** The store's clock in microseconds since the epoch: the time of this very call, not of a transaction's start. */
    long clockMicros();

    /**
     * Distinguishes this store from every other one in shared names, such as those of leases. The first call on any
     * instance decides; it never changes afterwards.
     *
     * @param proposed becomes the identity if there is none yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);
}
