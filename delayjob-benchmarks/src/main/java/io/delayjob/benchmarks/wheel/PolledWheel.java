package io.delayjob.benchmarks.wheel;

import io.delayjob.internal.agent.EngineThreads;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.wheel.Timeout;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;

/** delayjob's timing wheel, which an agent polls, as in production. */
final class PolledWheel implements LiveTimer, Agent {

    private final TimingWheel wheel = TimingWheel.builder(System::nanoTime).polledByOwner(this::wake);
    private final EngineThreads threads = new EngineThreads();
    private final AgentHandle polling = threads.start(this);

    /** All fields are set before the first timer is scheduled, so {@code polling} is never {@code null} here. */
    private void wake() {
        polling.wake();
    }

    @Override
    public String roleName() {
        return "wheel";
    }

    @Override
    public long doWork() {
        return wheel.poll();
    }

    @Override
    public Object schedule(Runnable task, long delayNanos) {
        return wheel.schedule(task, Duration.ofNanos(delayNanos));
    }

    @Override
    public void cancel(Object handle) {
        ((Timeout<?>) handle).cancel();
    }

    @Override
    public void close() {
        wheel.close();
        polling.stop();
        threads.close();
    }
}
