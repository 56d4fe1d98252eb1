package io.delayjob;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Real threads for an engine: one for each agent, and as many workers as there are attempts at a time. All are daemons,
 * named {@code delayjob-<role>} and {@code delayjob-worker-<n>}. Thread-safe.
 */
public final class EngineThreads implements AgentRunner, AutoCloseable {

    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            60,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.numbered("delayjob-worker-"));

    /** Workers; how many run at a time is bounded by the slots of the queues. */
    public Executor workers() {
        return workers;
    }

    @Override
    public AgentHandle start(Agent agent) {
        AgentThread started = new AgentThread(agent);
        started.thread.start();
        return started;
    }

    /** Ends the workers that are idle; those at work end with their attempt. */
    @Override
    public void close() {
        workers.shutdown();
    }

    private static final class AgentThread implements AgentHandle, Runnable {

        private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

        private final Agent agent;
        private final Thread thread;
        private volatile boolean woken;
        private volatile boolean stopped;

        AgentThread(Agent agent) {
            this.agent = agent;
            this.thread = DaemonThreads.named("delayjob-" + agent.roleName()).newThread(this);
        }

        @Override
        public void run() {
            while (!stopped) {
                woken = false;
                long pause = doWork();
                if (pause > 0 && !woken && !stopped) {
                    park(pause);
                }
                // An interruption is not how an agent is stopped; left standing it would keep the thread from parking.
                Thread.interrupted();
            }
        }

        private long doWork() {
            try {
                return agent.doWork();
            } catch (RuntimeException | Error unreported) {
                // Not even its supervision could report it: no memory is left, or the log itself fails. It may pass.
                return AFTER_FAILURE_NANOS;
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
            stopped = true;
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
