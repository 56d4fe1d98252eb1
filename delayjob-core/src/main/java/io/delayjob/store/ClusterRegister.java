package io.delayjob.store;

import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import java.util.List;

/**
 * Gives access to the data that all instances of a store share: the register of instances, the pauses, the store's
 * clock, and the store's identity. This interface is thread-safe. {@link JobStore} states the rules that apply to all
 * roles.
 */
public interface ClusterRegister {

    /** Returns the register of instances. */
    InstanceStore instances();

    /**
     * Pauses handlers and queues. Each instance stops starting jobs of these handlers and queues when it next
     * {@linkplain InstanceStore#look reads the register}. Attempts under way continue.
     *
     * @param note author, time and reason of the pause; names that are already paused keep their note
     * @param committed is called after the commit, even if nothing has changed; must not throw an exception
     * @return {@code true} if one of the names was not paused before
     */
    boolean pause(Paused what, PauseNote note, Runnable committed);

    /**
     * Resumes handlers and queues.
     *
     * @param committed is called after the commit, even if nothing has changed; must not throw an exception
     * @return {@code true} if one of the names was paused before
     */
    boolean resume(Paused what, Runnable committed);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /** Returns the pauses with their notes, ordered by kind and name. The result is meant for people. */
    List<PausedName> pauses();

    /**
     * Returns the time of the store's clock at the moment of this call, in microseconds since the epoch. A store must
     * not return the time at which a transaction began.
     */
    long clockMicros();

    /**
     * Returns the identity of this store. Several stores may use the same outside system, for example for leases. The
     * names of a store in that system contain this identity, so that the names of two stores differ. The first call, by
     * any instance, sets the identity. After that, no call changes it.
     *
     * @param proposed the identity to set if the store has no identity yet: 1 to 8 lower-case letters and digits
     */
    String identity(String proposed);
}
