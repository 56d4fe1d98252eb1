package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import io.delayjob.DelayJobEngine;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.AgentRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

class DelayJobLifecycleTest {

    private final DelayJobEngine engine = mock(DelayJobEngine.class);
    private final AgentRunner agents = mock(AgentRunner.class);
    private final AgentHandle declaring = mock(AgentHandle.class);
    private final List<Runnable> stopping = new ArrayList<>();
    private final DeclaredSchedules schedules =
            new DeclaredSchedules((handler, repeat) -> false, DelayJobTransactions.NONE);
    private final DelayJobLifecycle lifecycle =
            new DelayJobLifecycle(engine, schedules, new DelayJobThreads(agents, Runnable::run, stopping::add));

    @BeforeEach
    void agentsStart() {
        given(agents.start(any())).willReturn(declaring);
    }

    @Test
    void start_startsTheEngineAndThenWhatStartsByItself() {
        lifecycle.start();
        lifecycle.start();
        InOrder order = inOrder(engine, agents);
        order.verify(engine).start();
        order.verify(agents).start(schedules);
        order.verifyNoMoreInteractions();
        assertThat(lifecycle.isRunning()).isTrue();
    }

    @Test
    void stop_isAsynchronous() {
        AtomicBoolean stopped = new AtomicBoolean();
        lifecycle.start();
        lifecycle.stop(() -> stopped.set(true));
        verify(engine, never()).stop();
        assertThat(stopped).isFalse();

        stopping.forEach(Runnable::run);
        InOrder order = inOrder(engine, declaring);
        order.verify(declaring).stop();
        order.verify(engine).stop();
        assertThat(stopped).isTrue();
        assertThat(lifecycle.isRunning()).isFalse();
    }

    @Test
    void stopThatFails_keepsNobodyWaiting() {
        AtomicBoolean stopped = new AtomicBoolean();
        willThrow(new IllegalStateException("stuck")).given(engine).stop();
        lifecycle.start();
        lifecycle.stop(() -> stopped.set(true));
        try {
            stopping.forEach(Runnable::run);
        } catch (IllegalStateException stuck) {
            assertThat(stuck).hasMessage("stuck");
        }
        assertThat(stopped).isTrue();
    }

    @Test
    void phase_isAfterListenersAndBeforeTheWebServersEnd() {
        assertThat(lifecycle.getPhase())
                .isLessThan(SmartLifecycle.DEFAULT_PHASE - 100)
                .isGreaterThan(WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
    }
}
