package io.delayjob.internal.dispatch;

/** The queues that this instance works. Thread-safe. */
public interface WorkedQueues {

    /** Whether jobs of this queue run here. */
    boolean works(String queue);

    /** How many jobs of this queue run here at the same time. */
    int slots(String queue);
}
