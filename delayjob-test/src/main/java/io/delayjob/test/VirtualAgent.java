package io.delayjob.test;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls an agent in virtual time. At any moment, a call is in progress or planned, or the agent waits to be woken up.
 */
final class VirtualAgent implements AgentHandle {

    private static final long FIRST_BACK_OFF_NANOS = Duration.ofMillis(100).toNanos();
    private static final int MOST_DOUBLINGS = 7;

    private final Agent agent;
    private final VirtualProcess process;

    private @Nullable VirtualEvent plannedCall;
    private int planNumber;
    private @Nullable Thread caller;
    private boolean woken;
    private boolean stopped;
    private int failures;

    VirtualAgent(Agent agent, VirtualProcess process) {
        this.agent = agent;
        this.process = process;
    }

    @Override
    public synchronized void wake() {
        if (caller != null) {
            woken = true;
        } else if (!stopped && failures == 0) {
            // A failed agent is called again soon, but not before its pause is over.
            plan(0);
        }
    }

    @Override
    public synchronized void stop() {
        stopped = true;
        cancelPlan();
        try {
            while (caller != null && caller != Thread.currentThread()) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void call(int plan) {
        if (!begin(plan)) {
            return;
        }
        long pause = FIRST_BACK_OFF_NANOS << Math.min(failures, MOST_DOUBLINGS);
        int failuresNow = failures + 1;
        try {
            pause = agent.doWork();
            failuresNow = 0;
        } catch (RuntimeException failure) {
            process.failures().failed(agent.roleName(), failure);
        } finally {
            end(pause, failuresNow);
        }
    }

    /** After a pause of the process, a call may still arrive although another call has replaced it. */
    private synchronized boolean begin(int plan) {
        if (stopped || plan != planNumber) {
            return false;
        }
        plannedCall = null;
        process.time().countCall(agent.roleName());
        caller = Thread.currentThread();
        woken = false;
        return true;
    }

    private synchronized void end(long pause, int failuresNow) {
        caller = null;
        failures = failuresNow;
        notifyAll();
        if (stopped) {
            return;
        }
        if (failures == 0 && woken) {
            plan(0);
        } else if (pause != Agent.UNTIL_WOKEN) {
            plan(pause);
        }
    }

    private void plan(long pauseNanos) {
        cancelPlan();
        int plan = ++planNumber;
        plannedCall = process.schedule(pauseNanos, () -> call(plan));
    }

    private void cancelPlan() {
        if (plannedCall != null) {
            process.time().cancel(plannedCall);
            plannedCall = null;
        }
    }

    @Override
    public String toString() {
        return "VirtualAgent[" + agent.roleName() + "]";
    }
}
