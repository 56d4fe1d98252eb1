package io.delayjob.internal.engine;

import io.delayjob.handler.Handler;
import io.delayjob.handler.UnsupportedHandlerException;
import io.delayjob.internal.complete.Completer;
import io.delayjob.internal.complete.Completions;
import io.delayjob.internal.dispatch.AttemptDefaults;
import io.delayjob.internal.dispatch.Attempts;
import io.delayjob.internal.dispatch.ClaimLead;
import io.delayjob.internal.dispatch.Claimer;
import io.delayjob.internal.dispatch.Claims;
import io.delayjob.internal.dispatch.ComingJobs;
import io.delayjob.internal.dispatch.Judge;
import io.delayjob.internal.dispatch.Lanes;
import io.delayjob.internal.dispatch.Recorder;
import io.delayjob.internal.dispatch.Returns;
import io.delayjob.internal.dispatch.Standing;
import io.delayjob.internal.dispatch.TimeoutWatch;
import io.delayjob.internal.dispatch.UnderWay;
import io.delayjob.internal.instance.Membership;
import io.delayjob.settings.EngineSettings;
import io.delayjob.store.HandlerTransactions;
import io.delayjob.store.JobStore;
import io.delayjob.store.JobTransitions;
import io.delayjob.store.StoreCapability;
import io.delayjob.time.EngineClock;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Claims due rows in batches, makes each an attempt on a worker, and writes the ends of attempts. */
final class DispatchStation {

    /** Maximum number of unwritten batches of ends: beyond it, nothing more is claimed. */
    private static final int MAX_UNWRITTEN_BATCHES = 8;

    final Completer completer;
    final Attempts attempts;
    final Claimer claimer;
    private final Claimer secondClaimer;

    DispatchStation(
            EngineParts parts,
            Roles roles,
            Membership membership,
            PreloadStation preload,
            Lanes lanes,
            ClaimLead claimLead) {
        EngineSettings settings = parts.settings();
        JobTransitions transitions = parts.transitions();
        EngineClock clock = parts.clock();
        RandomGenerator random = parts.random();

        // Complete: ends of attempts are written; jobs that then wait again are handed over.
        completer = new Completer(
                transitions,
                preload.waiting,
                parts.listeners(),
                clock,
                settings.preload().batchSize(),
                roles.waking(Role.COMPLETE));
        Completions completions = new Completions(
                clock,
                random,
                settings.attempts().log(),
                !settings.history().finished().isZero());

        // Attempts: each claimed job is judged, called, and recorded.
        TimeoutWatch timeouts =
                new TimeoutWatch(clock, settings.attempts().interruptGrace(), roles.waking(Role.TIMEOUT));
        AttemptDefaults defaults = new AttemptDefaults(
                settings.attempts().retry(),
                settings.attempts().timeout(),
                settings.attempts().maxSnooze(),
                settings.attempts().unreadablePayloadAfter());
        Recorder recorder = new Recorder(completions, completer, clock);
        Standing standing = new OwnStanding(membership);
        attempts = new Attempts(
                lanes,
                new Judge(parts.handlers(), parts.codec(), defaults, random),
                recorder,
                new UnderWay(standing, recorder, timeouts, clock, parts.listeners()),
                parts.surroundings().workers(),
                clock,
                handlerTransactions(parts));

        // Claims: two claimers, so that one claims while the other waits for an answer.
        ComingJobs coming = new ComingJobs(preload.wheel, clock, claimLead, lanes, attempts);
        Claims claims = new Claims(
                transitions,
                standing,
                claimLead,
                clock,
                random,
                settings.preload().batchSize());
        int maxBacklog = MAX_UNWRITTEN_BATCHES * settings.preload().batchSize();
        Function<Runnable, Claimer> besides = wakeOther -> new Claimer(
                lanes,
                claims,
                new Returns(lanes, preload.waiting, transitions, clock, random),
                coming,
                attempts,
                () -> completer.backlog() > maxBacklog,
                wakeOther);
        claimer = besides.apply(roles.waking(Role.SECOND_CLAIM));
        secondClaimer = besides.apply(roles.waking(Role.CLAIM));

        roles.assign(Role.COMPLETE, completer);
        roles.assign(Role.TIMEOUT, timeouts);
        roles.assign(Role.CLAIM, claimer);
        roles.assign(Role.SECOND_CLAIM, secondClaimer);
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
                "Handler '%s' is atomic, but the job store (%s) has no transactions for its calls: keep jobs in the database that the handler writes to (delayjob.store=jdbc), or remove atomic."
                        .formatted(atomic.name(), store));
    }

    /** Releases claimed jobs that have not started; returns their number. */
    int closeClaimers() {
        return claimer.close() + secondClaimer.close();
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
