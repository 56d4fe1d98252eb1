package io.delayjob.autoconfigure;

import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import io.delayjob.wheel.TimingWheel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;

/** Creates a timing wheel for timers that may be lost, and polls it until the application stops. */
final class TimingWheelFactoryBean implements FactoryBean<TimingWheel>, DisposableBean {

    private final EngineClock clock;
    private final Duration tick;
    private final AgentRunner agents;
    private @Nullable TimingWheel wheel;
    private volatile @Nullable AgentHandle polling;

    TimingWheelFactoryBean(EngineClock clock, Duration tick, AgentRunner agents) {
        this.clock = clock;
        this.tick = tick;
        this.agents = agents;
    }

    @Override
    public synchronized TimingWheel getObject() {
        TimingWheel made = wheel;
        if (made == null) {
            made = TimingWheel.builder(clock::nanoTime).tick(tick).polledByOwner(this::wake);
            polling = agents.start(new Polling(made));
            wheel = made;
        }
        return made;
    }

    private void wake() {
        AgentHandle started = polling;
        if (started != null) {
            started.wake();
        }
    }

    @Override
    public Class<?> getObjectType() {
        return TimingWheel.class;
    }

    @Override
    public synchronized void destroy() {
        if (wheel != null) {
            wheel.close();
        }
        if (polling != null) {
            polling.stop();
        }
    }

    private record Polling(TimingWheel wheel) implements Agent {

        @Override
        public String roleName() {
            return "timers";
        }

        @Override
        public long doWork() {
            return wheel.poll();
        }
    }
}
