package io.delayjob.internal.engine;

import io.delayjob.handler.Handler;
import io.delayjob.handler.UnsupportedHandlerException;
import io.delayjob.internal.attempt.Attempts;
import io.delayjob.internal.attempt.Judge;
import io.delayjob.internal.attempt.Recorder;
import io.delayjob.internal.attempt.Standing;
import io.delayjob.internal.attempt.UnderWay;
import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.dispatch.Claimer;
import io.delayjob.internal.dispatch.Claims;
import io.delayjob.internal.dispatch.Lanes;
import io.delayjob.internal.dispatch.Later;
import io.delayjob.internal.instance.Membership;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreCapability;
import io.delayjob.time.EngineClock;
import java.util.random.RandomGenerator;

final class DispatchStation {

    /** While more than this number of batches of outcomes are unwritten, no jobs are claimed. */
    private static final int MAX_UNWRITTEN_BATCHES = 8;

    final Completer completer;
    final Attempts attempts;
    final Claimer promptClaimer;

    DispatchStation(EngineParts parts, Roles roles, Membership membership, PreloadStation preload, Lanes lanes) {
        EngineSettings settings = parts.settings();
        JobTransitions transitions = parts.transitions();
        EngineClock clock = parts.clock();
        RandomGenerator random = parts.random();

        completer = new Completer(
                transitions,
                preload.waiting,
                parts.listeners(),
                clock,
                settings.preload().batchSize(),
                roles.waking(Role.COMPLETE));

        Recorder recorder = new Recorder(parts.completions(), completer, clock);
        UnderWay underWay = new UnderWay(
                parts.listeners(), clock, settings.attempts().interruptGrace(), roles.waking(Role.TIMEOUT));
        Standing standing = new OwnStanding(membership);
        attempts = new Attempts(
                standing,
                new Judge(parts.handlers(), parts.codec(), parts.attemptDefaults(), clock, random),
                recorder,
                underWay,
                new Attempts.Workplace(parts.surroundings().workers(), handlerTransactions(parts)),
                clock);

        // There are two claimers, so that one can claim jobs while the other waits for the store.
        int maxBacklog = MAX_UNWRITTEN_BATCHES * settings.preload().batchSize();
        Claims claims = new Claims(lanes, transitions, standing, () -> completer.backlog() > maxBacklog, clock, random);
        Later later = new Later(preload.wheel, clock, lanes, attempts, preload.waiting);
        int batchSize = settings.preload().batchSize();
        promptClaimer =
                new Claimer(Claimer.Role.PROMPT, batchSize, lanes, claims, later, roles.waking(Role.CLAIM_BACKLOG));
        Claimer backlogClaimer =
                new Claimer(Claimer.Role.BACKLOG, batchSize, lanes, claims, later, roles.waking(Role.CLAIM_PROMPT));

        roles.assign(Role.COMPLETE, completer);
        roles.assign(Role.TIMEOUT, underWay);
        roles.assign(Role.CLAIM_PROMPT, promptClaimer);
        roles.assign(Role.CLAIM_BACKLOG, backlogClaimer);
    }

    private static HandlerTransactions handlerTransactions(EngineParts parts) {
        JobStore store = parts.store();
        if (parts.settings().worker() && !store.capabilities().has(StoreCapability.HANDLER_TRANSACTIONS)) {
            parts.handlers().all().stream()
                    .filter(Handler::atomic)
                    .findFirst()
                    .ifPresent(atomic -> refuse(atomic, store));
        }
        return store.handlerTransactions();
    }

    private static void refuse(Handler atomic, JobStore store) {
        throw new UnsupportedHandlerException(
                "Handler '%s' is atomic, but the job store (%s) has no transactions for handlers. Keep the jobs in the database that the handler writes to (delayjob.store=jdbc), or remove atomic."
                        .formatted(atomic.name(), store));
    }

    private record OwnStanding(Membership membership) implements Standing {

        @Override
        public long number() {
            return membership.number();
        }

        @Override
        public boolean mayStart(long owner) {
            return membership.mayStart(owner);
        }
    }
}
