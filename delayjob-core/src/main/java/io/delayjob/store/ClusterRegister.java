package io.delayjob.store;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.util.List;

/**
 * Gives access to the data that all instances of a store share. These are the register of instances, the pauses, the
 * store's clock, and the store's identity. Thread-safe; see {@link JobStore} for the rules of all roles of a store.
 */
public interface ClusterRegister {

    /** Returns the register of instances. */
    InstanceStore instances();

    /**
     * Pauses handlers and queues. The pause takes effect on an instance when the instance next {@linkplain
     * InstanceStore#look reads the register}. Attempts under way continue.
     *
     * @param note author, time and reason of the pause; if a name is already paused, its note stays unchanged
     * @param committed is called after the commit, even if nothing has changed; must not throw an exception
     * @return {@code true} if at least one of the names was not paused before
     */
    boolean pause(Paused what, PauseNote note, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed is called after the commit, even if nothing has changed; must not throw an exception
     * @return {@code true} if at least one of the names was paused before
     */
    boolean resume(Paused what, Runnable committed);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /** Returns the pauses with their notes, ordered by kind and name. */
    List<PausedName> pauses();

    /**
     * Returns the present time of the store's clock, in microseconds since the epoch. An implementation must not return
     * the time at which a transaction began.
     */
    long clockMicros();

    /**
     * Returns the identity of this store. Names in other systems, such as names of leases, contain this identity, so
     * that two stores never share a name. The first call, by any instance, sets the identity. Later calls do not change
     * the identity.
     *
     * @param proposed the identity to set if the store has no identity yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);
}
