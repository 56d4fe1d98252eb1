package io.delayjob.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.agent.SupervisedAgent;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentHandle;
import io.delayjob.time.HandClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RolesTest {

    private static final List<String> ALL =
            Stream.of(Role.values()).map(Role::name).toList();

    private final Roles roles = new Roles(new HandClock(), new JobListeners(List.of()));
    private final List<String> started = new ArrayList<>();
    private final List<String> woken = new ArrayList<>();
    private final List<String> stopped = new ArrayList<>();

    @BeforeEach
    void assignAll() {
        Stream.of(Role.values()).forEach(role -> roles.assign(role, new Named(role.name())));
    }

    @Test
    void rolesStartInTheirOrder() {
        start();
        assertThat(started).isEqualTo(ALL);
    }

    @Test
    void rolesStopOnceEachInTheReverseOrder_stepByStep() {
        start();
        roles.stopDownTo(Role.CLAIM_PROMPT, SupervisedAgent::stop);
        assertThat(stopped).first().isEqualTo("STATISTICS");
        assertThat(stopped).last().isEqualTo("CLAIM_PROMPT");
        roles.stopDownTo(Role.COMPLETE, SupervisedAgent::stop);
        assertThat(stopped).last().isEqualTo("COMPLETE");
        roles.stopDownTo(Role.HEARTBEAT, SupervisedAgent::stop);

        List<String> reversed = new ArrayList<>(ALL);
        Collections.reverse(reversed);
        assertThat(stopped).isEqualTo(reversed);
    }

    @Test
    void wakeUpBeforeTheStart_doesNothing() {
        Runnable wake = roles.waking(Role.SWEEP);
        wake.run();
        assertThat(woken).isEmpty();

        start();
        woken.clear();
        wake.run();
        roles.wake(Role.LEASE);
        assertThat(woken).containsExactly("SWEEP", "LEASE");
    }

    private void start() {
        roles.start(Role.HEARTBEAT, this::run);
        roles.startAfter(Role.HEARTBEAT, this::run);
    }

    private AgentHandle run(Agent agent) {
        String name = agent.roleName();
        started.add(name);
        return new AgentHandle() {
            @Override
            public void wake() {
                woken.add(name);
            }

            @Override
            public void stop() {
                stopped.add(name);
            }
        };
    }

    private record Named(String roleName) implements Agent {

        @Override
        public long doWork() {
            return UNTIL_WOKEN;
        }
    }
}
