package io.delayjob.internal.engine;

import io.delayjob.event.JobListeners;
import io.delayjob.internal.agent.FaultLog;
import io.delayjob.internal.agent.OutageLog;
import io.delayjob.internal.agent.SupervisedAgent;
import io.delayjob.status.EngineStatus;
import io.delayjob.time.Agent;
import io.delayjob.time.AgentRunner;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Contains the background tasks (roles) of one run of the engine. A task may be woken up before its agent exists, so
 * two components can wake up each other.
 */
final class Roles {

    private final EngineClock clock;
    private final Map<Role, SupervisedAgent> places = new EnumMap<>(Role.class);
    private final Map<Role, Agent> agents = new EnumMap<>(Role.class);
    private int notStopped = Role.values().length;

    Roles(EngineClock clock, JobListeners listeners) {
        this.clock = clock;
        OutageLog outages = new OutageLog();
        FaultLog faults = new FaultLog();
        for (Role role : Role.values()) {
            places.put(role, new SupervisedAgent(clock, listeners, outages, faults));
        }
    }

    void assign(Role role, Agent agent) {
        agents.put(role, agent);
    }

    Runnable waking(Role role) {
        return place(role);
    }

    void wake(Role role) {
        place(role).run();
    }

    void start(Role role, AgentRunner runner) {
        place(role).start(Objects.requireNonNull(agents.get(role)), runner);
    }

    void startAfter(Role first, AgentRunner runner) {
        Stream.of(Role.values()).filter(role -> role.compareTo(first) > 0).forEach(role -> start(role, runner));
    }

    /** Stops the tasks in the reverse order of their start. The task {@code last} is stopped last. */
    void stopDownTo(Role last, Consumer<SupervisedAgent> stop) {
        Role[] roles = Role.values();
        for (; notStopped > last.ordinal(); notStopped--) {
            stop.accept(place(roles[notStopped - 1]));
        }
    }

    List<EngineStatus.Trouble> troubles() {
        long now = clock.nanoTime();
        return places.values().stream()
                .flatMap(place -> {
                    SupervisedAgent.Blockage trouble = place.trouble();
                    return trouble == null
                            ? Stream.empty()
                            : Stream.of(new EngineStatus.Trouble(
                                    place.roleName(), Duration.ofNanos(now - trouble.sinceNanos()), trouble.reason()));
                })
                .toList();
    }

    private SupervisedAgent place(Role role) {
        return Objects.requireNonNull(places.get(role));
    }
}
