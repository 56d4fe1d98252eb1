package io.delayjob.internal.engine;

import io.delayjob.internal.agent.OutageLog;
import io.delayjob.internal.agent.SupervisedAgent;
import io.delayjob.internal.attempt.Attempts.Drained;
import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.dispatch.Lanes;
import io.delayjob.settings.EngineSettings;
import io.delayjob.time.Agent;
import io.delayjob.time.EngineClock;
import io.delayjob.time.ReadableDuration;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops an engine step by step. If a step fails, the failure is logged, and the next step follows. Other instances take
 * over the unfinished work.
 */
final class StopSequence {

    private static final Logger log = LoggerFactory.getLogger(StopSequence.class);

    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    /** Maximum number of successive failures to write the last outcomes of attempts. */
    private static final int MAX_LAST_FAILURES = 3;

    /**
     * Maximum number of pauses. Together, the pauses take about 0.6 s. Another transaction may have locked the row of a
     * job with an unwritten outcome. The pauses give that transaction time to end.
     */
    private static final int MAX_LAST_PAUSES = 6;

    private final EngineSettings settings;
    private final EngineClock clock;
    private final Roles roles;
    private final LeadStation lead;
    private final PreloadStation preload;
    private final Lanes lanes;
    private final DispatchStation dispatch;
    private final MaintainStation maintain;

    StopSequence(
            EngineParts parts,
            Roles roles,
            LeadStation lead,
            PreloadStation preload,
            Lanes lanes,
            DispatchStation dispatch,
            MaintainStation maintain) {
        this.settings = parts.settings();
        this.clock = parts.clock();
        this.roles = roles;
        this.lead = lead;
        this.preload = preload;
        this.lanes = lanes;
        this.dispatch = dispatch;
        this.maintain = maintain;
    }

    void run() {
        long began = clock.nanoTime();
        // The lanes are closed first. Stopping an agent may take long, and other agents would start jobs meanwhile.
        lanes.close();
        int underWay = lanes.occupancy().slotsTaken();
        Duration grace = settings.instance().stopAwait();
        log.info(
                "Instance {} is stopping. Running attempts: {}. The instance waits up to {} for them to end.",
                settings.incarnation(),
                underWay,
                ReadableDuration.of(grace));
        roles.stopDownTo(Role.CLAIM_PROMPT, StopSequence::stop);
        preload.waiting.clear();
        int handedBack = counted("hand back its leases", lead.leases::releaseAll);
        // The leases come first, because instances that learn of the stop look for free partitions at once.
        lead.membership.stopping();
        roles.wake(Role.HEARTBEAT);
        int released = counted("release the claimed jobs that have not started", dispatch.promptClaimer::close);
        Drained drained =
                dispatch.attempts.drain(grace, grace.compareTo(AFTER_INTERRUPT) < 0 ? grace : AFTER_INTERRUPT);
        released += counted("release the interrupted jobs", dispatch.promptClaimer::close);
        roles.stopDownTo(Role.COMPLETE, StopSequence::stop);
        dispatch.completer.hurry();
        attempt("write the last outcomes of attempts", this::writeAll);
        attempt("write the statistics of its last minute", maintain.minutes::writeAll);
        roles.stopDownTo(Role.HEARTBEAT, StopSequence::stop);
        preload.wheel.close();
        if (drained.left() == 0 && dispatch.completer.backlog() == 0) {
            attempt("leave the register", lead.membership::leave);
        } else {
            log.warn(
                    "Instance {} stops with unfinished work, which other instances will repeat. "
                            + "Attempts that did not end: {}. Attempts whose outcome could not be written: {}.",
                    settings.incarnation(),
                    dispatch.attempts.underWay(),
                    dispatch.completer.backlog());
        }
        log.info(
                "Instance {} stopped in {}. Attempts that ended in time: {}. Interrupted attempts: {}. "
                        + "Released jobs: {}. Leases handed back: {}.",
                settings.incarnation(),
                ReadableDuration.of(Duration.ofNanos(clock.nanoTime() - began)),
                underWay - drained.interrupted(),
                drained.interrupted(),
                released,
                handedBack);
    }

    private static void stop(SupervisedAgent agent) {
        attempt("stop its " + agent.roleName(), agent::stop);
    }

    private void writeAll() {
        Completer completer = dispatch.completer;
        int failures = 0;
        int pauses = 0;
        while (failures < MAX_LAST_FAILURES && pauses < MAX_LAST_PAUSES) {
            try {
                long pause = completer.doWork();
                if (pause == Agent.UNTIL_WOKEN) {
                    return;
                }
                if (pause > 0) {
                    LockSupport.parkNanos(pause);
                    pauses++;
                }
                failures = 0;
            } catch (RuntimeException failure) {
                failures++;
                if (failures == MAX_LAST_FAILURES) {
                    throw failure;
                }
            }
        }
    }

    private static void attempt(String what, Runnable action) {
        counted(what, () -> {
            action.run();
            return 0;
        });
    }

    private static int counted(String what, IntSupplier action) {
        try {
            return action.getAsInt();
        } catch (RuntimeException | Error failure) {
            if (OutageLog.isOutage(failure)) {
                log.warn(
                        "This instance is stopping, and could not {}. It stops anyway. The reason: {}",
                        what,
                        failure.getMessage());
            } else {
                log.warn("This instance is stopping, and could not {}. It stops anyway.", what, failure);
            }
            return 0;
        }
    }
}
