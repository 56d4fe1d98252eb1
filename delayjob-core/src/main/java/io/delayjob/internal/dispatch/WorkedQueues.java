package io.delayjob.internal.dispatch;

/** The queues that this instance works. Thread-safe. */
public interface WorkedQueues {

    /** Tells whether jobs of this queue run here. */
    boolean works(String queue);

    /** Returns how many jobs of this queue run here at the same time. */
    int slots(String queue);
}
