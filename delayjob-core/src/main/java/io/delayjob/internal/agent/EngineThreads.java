package io.delayjob.internal.agent;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import io.delayjob.time.StoreClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs an engine on daemon threads: one for each agent, and one worker for each attempt under way. If an agent throws
 * an exception, it is logged, and the agent is called again after a growing pause. Thread-safe.
 */
public final class EngineThreads implements AgentRunner, AutoCloseable {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A failing agent is called again after at most 1.6 s. */
    private static final int MAX_DOUBLINGS = 4;

    private final EngineClock clock = StoreClock.ofThisMachine();
    private final FaultLog faults = new FaultLog();
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.numbered("delayjob-worker-"));

    /** The slots of the queues limit how many workers run at a time. */
    public Executor workers() {
        return workers;
    }

    @Override
    public AgentHandle start(Agent agent) {
        AgentThread started = new AgentThread(agent);
        started.thread.start();
        return started;
    }

    @Override
    public void close() {
        workers.shutdown();
    }

    private final class AgentThread implements AgentHandle, Runnable {

        private final Agent agent;
        private final Thread thread;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile boolean woken;
        private int failures;

        AgentThread(Agent agent) {
            this.agent = agent;
            this.thread = DaemonThreads.named("delayjob-" + agent.roleName()).newThread(this);
        }

        @Override
        public void run() {
            while (isWanted()) {
                woken = false;
                long pause = doWork();
                if (failures > 0) {
                    rest(pause);
                } else if (pause > 0 && !woken && isWanted()) {
                    park(pause);
                }
                // An interruption does not stop an agent. While the interrupt flag is set, the thread could not wait.
                Thread.interrupted();
            }
        }

        private boolean isWanted() {
            return stopped.getCount() > 0;
        }

        private long doWork() {
            try {
                long pause = agent.doWork();
                failures = 0;
                return pause;
            } catch (RuntimeException | Error failure) {
                long pause = FIRST_PAUSE_NANOS << Math.min(failures++, MAX_DOUBLINGS);
                report(failure);
                return pause;
            }
        }

        private void report(Throwable failure) {
            try {
                faults.failed(agent.roleName(), failure, clock.nanoTime());
            } catch (RuntimeException | Error unreportable) {
                // There is no memory left, or the log has failed. This may pass, so the agent is called again.
            }
        }

        /** Waits for the whole time. Otherwise, a failing agent that is often woken up would never pause. */
        private void rest(long nanos) {
            try {
                stopped.await(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException notHowAnAgentIsStopped) {
                // The agent is called again a little early.
            }
        }

        private void park(long nanos) {
            if (nanos == Agent.UNTIL_WOKEN) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        }

        @Override
        public void wake() {
            if (!woken) {
                woken = true;
                LockSupport.unpark(thread);
            }
        }

        @Override
        public void stop() {
            stopped.countDown();
            LockSupport.unpark(thread);
            if (Thread.currentThread() == thread) {
                return;
            }
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
