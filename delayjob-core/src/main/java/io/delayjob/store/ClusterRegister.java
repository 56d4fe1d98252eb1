package io.delayjob.store;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.util.List;

/**
 * The data that all instances of a store share: the register, the pauses, the time, and the store's identity.
 * Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface ClusterRegister {

    /** Returns the register of instances. */
    InstanceStore instances();

    /**
     * Pauses handlers and queues. After its next {@linkplain InstanceStore#look look}, an instance starts no jobs of
     * these names. Attempts under way go on.
     *
     * @param note author, time and reason; names that are already paused keep their note
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return {@code true} if any of them was not paused before
     */
    boolean pause(Paused what, PauseNote note, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return whether any of them was paused
     */
    boolean resume(Paused what, Runnable committed);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /** Returns the pauses with their notes, for people, in the order of kinds and names. */
    List<PausedName> pauses();

    /**
     * Returns the store's clock in microseconds since the epoch: the time of this call, not of a transaction's start.
     */
    long clockMicros();

    /**
     * Returns the identity that distinguishes this store from every other store in shared names, such as the names of
     * leases. The first call on any instance sets the identity, which never changes afterwards.
     *
     * @param proposed the identity to set if the store has no identity yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);
}
