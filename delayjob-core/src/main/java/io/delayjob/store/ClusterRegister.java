package io.delayjob.store;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.util.List;

/**
 * The data that all instances of a store share: the register of instances, the pauses, the store's clock, and the
 * store's identity. Thread-safe; see {@link JobStore} for the rules of all roles.
 */
public interface ClusterRegister {

    /** Returns the register of instances. */
    InstanceStore instances();

    /**
     * Pauses handlers and queues. After an instance has next {@linkplain InstanceStore#look read the register}, it
     * starts no jobs of these handlers and queues. Attempts under way go on.
     *
     * @param note author, time and reason; names that are already paused keep their note
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return {@code true} if one of the names was not paused before
     */
    boolean pause(Paused what, PauseNote note, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed called after the commit, even if nothing has changed; must not throw
     * @return {@code true} if one of the names was paused before
     */
    boolean resume(Paused what, Runnable committed);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /** Returns the pauses with their notes, for people, ordered by kind and name. */
    List<PausedName> pauses();

    /**
     * Returns the time of the store's clock at this call, in microseconds since the epoch. A store must not return the
     * time at which a transaction began.
     */
    long clockMicros();

    /**
     * Returns the identity of this store. Names in systems that several stores share, such as the names of leases,
     * contain this identity. The first call on any instance sets the identity. Afterwards it never changes.
     *
     * @param proposed the identity to set if the store has no identity yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);
}
