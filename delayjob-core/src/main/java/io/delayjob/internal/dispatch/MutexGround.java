package io.delayjob.internal.dispatch;

import io.delayjob.job.Partition;
import java.util.HashMap;
import java.util.Map;

/** The mutexes about which the leader of one partition decides. Guarded by the lock of {@link Lanes}. */
final class MutexGround {

    final Partition home;
    final Map<String, Mutex> mutexes = new HashMap<>();

    /** The lease under which this instance has learned about these mutexes. */
    long term;

    /** Whether the running rows were read under this lease. Until then, every mutex counts as busy. */
    boolean known;

    MutexGround(Partition home) {
        this.home = home;
    }

    /** Begins anew under another lease, because other instances may have claimed rows meanwhile. */
    void beginAnew(long newTerm) {
        term = newTerm;
        known = false;
        mutexes.values().forEach(Mutex::forgetElsewhere);
        mutexes.values().removeIf(Mutex::isIdle);
    }
}
