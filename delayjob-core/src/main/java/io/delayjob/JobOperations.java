package io.delayjob;

import io.delayjob.event.JobListeners;
import io.delayjob.handler.Answer;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.internal.engine.EngineParts;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.JobPlan;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.schedule.Repeat;
import io.delayjob.schedule.Stated;
import io.delayjob.store.DueSink;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.Vitals;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class JobOperations implements DelayJobOperations {

    /** The results, from the least important result to the most important result for the caller. */
    private static final List<CancelResult> BY_WEIGHT = List.of(
            CancelResult.NOT_FOUND,
            CancelResult.ALREADY_ENDED,
            CancelResult.CANCELLED,
            CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT,
            CancelResult.RUNNING,
            CancelResult.ON_COMMIT);

    private final JobStore store;
    private final HandlerRegistry handlers;
    private final EngineClock clock;
    private final RandomGenerator random;
    private final JobListeners listeners;
    private final DueSink nearDue;
    private final Consumer<Paused> look;
    private final KnownNames known;
    private final MethodReferenceReader references;
    private final Planner planner;
    private final Scheduling scheduling;
    private final String instance;
    private final DeclaredJobs declaredJobs;
    private final JobReads reads;
    private final BulkChanges bulk;
    private final AnswerTaker answers;
    private final GroupWriter groups;
    private final AbandonedSpecs abandoned = new AbandonedSpecs();

    JobOperations(EngineParts parts, TraceSource traces, KnownNames known, EngineLinks links) {
        this.store = parts.store();
        this.handlers = parts.handlers();
        this.clock = parts.clock();
        this.random = parts.random();
        this.listeners = parts.listeners();
        this.nearDue = links.nearDue();
        this.instance = parts.settings().incarnation();
        this.known = known;
        this.look = links.look();
        this.references = new MethodReferenceReader(handlers);
        this.planner = new Planner(clock, random);
        this.groups = new GroupWriter(store, random, links.groupNamed());
        JobWriter writer = new JobWriter(store, links.partitions(), random, traces, nearDue, listeners, groups);
        this.scheduling = new Scheduling(
                handlers,
                references,
                new Payloads(parts.codec(), parts.settings().attempts().payloadMaxSize()),
                planner,
                writer);
        this.declaredJobs = new DeclaredJobs(
                store,
                handlers,
                clock,
                planner,
                writer,
                parts.settings().queues().partitions());
        this.answers = new AnswerTaker(store, parts.answerJudge(), clock, listeners, nearDue);
        this.reads = new JobReads(store, clock, links);
        this.bulk = new BulkChanges(store, clock, random, planner, nearDue, reads::page, this::tell);
    }

    boolean declare(String name, Repeat repeat) {
        Stated.notNull(repeat, "schedule", "must say when to run, such as Repeat.every(period)");
        return declaredJobs.declare(ownHandler(name), repeat);
    }

    boolean undeclare(String name) {
        return declaredJobs.undeclare(ownHandler(name));
    }

    private Handler ownHandler(String name) {
        Handler handler = handlers.find(Texts.checkName(name));
        if (handler == null || !handler.name().equals(name)) {
            throw new IllegalArgumentException(
                    "This application has no handler '%s', so no job with this name can start by itself. Register the handler first."
                            .formatted(name));
        }
        return handler;
    }

    @Override
    public <B> ScheduleSpec schedule(MethodReference.NoPayload<B> handler) {
        return scheduleBare(handler);
    }

    @Override
    public <B> ScheduleSpec schedule(MethodReference.ContextOnly<B> handler) {
        return scheduleBare(handler);
    }

    private ScheduleSpec scheduleBare(MethodReference reference) {
        HandlerSpec<?> spec = spec(reference);
        return abandoned.watched(
                ScheduleSpec.class, spec.withAll(), spec.handler().name());
    }

    @Override
    public <B, P> PayloadSpec<P> schedule(MethodReference.OnePayload<B, P> handler) {
        return scheduleOne(handler);
    }

    @Override
    public <B, P> PayloadSpec<P> schedule(MethodReference.PayloadAndContext<B, P> handler) {
        return scheduleOne(handler);
    }

    @SuppressWarnings("unchecked") // this method passes the payloads on without reading them
    private <P> PayloadSpec<P> scheduleOne(MethodReference reference) {
        HandlerSpec<P> spec = spec(reference);
        return abandoned.watched(PayloadSpec.class, spec, spec.handler().name());
    }

    @Override
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloads<B, P, Q> handler) {
        return scheduleTwo(handler);
    }

    @Override
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return scheduleTwo(handler);
    }

    @SuppressWarnings("unchecked") // as in the method for one payload
    private <P, Q> TwoPayloadsSpec<P, Q> scheduleTwo(MethodReference reference) {
        HandlerSpec<?> spec = spec(reference);
        TwoPayloadsSpec<P, Q> step = spec::withAll;
        return abandoned.watched(TwoPayloadsSpec.class, step, spec.handler().name());
    }

    @Override
    public NamedSpec schedule(String name) {
        Handler handler = handlers.find(Texts.checkName(name));
        Draft draft = handler == null ? Draft.named(name) : Draft.of(handler);
        return abandoned.watched(NamedSpec.class, new NamedJobSpec(draft, handler, scheduling), draft.name());
    }

    @Override
    public JobGroup group(String name) {
        return new NamedGroup(groups.check(name), this, store.groups(), groups, clock);
    }

    @Override
    public List<GroupStatus> groups(int limit) {
        return groups.toList(limit).unended(limit);
    }

    @Override
    public List<GroupStatus> endedGroups(int limit) {
        return groups.toList(limit).ended(limit);
    }

    private <P> HandlerSpec<P> spec(MethodReference handler) {
        return new HandlerSpec<>(references.handlerOf(handler), scheduling);
    }

    void warnOfAbandoned() {
        abandoned.warn();
    }

    @Override
    public CancelResult cancel(JobId id) {
        return told(store.cancel(JobReads.checked(id), clock.storeTime()));
    }

    @Override
    public CancelResult cancel(MethodReference handler, Object key) {
        return cancel(references.handlerOf(handler), key);
    }

    @Override
    public CancelResult cancel(String name, Object key) {
        Handler handler = handlers.find(Texts.checkStoredName(name));
        return handler == null
                ? told(store.cancel(name, Texts.checkStoredKey(name, key), clock.storeTime()))
                : cancel(handler, key);
    }

    /** If the handler was renamed, an older and a newer job may have the same key, so both are cancelled. */
    private CancelResult cancel(Handler handler, Object key) {
        String text = Texts.checkStoredKey(handler.name(), key);
        Instant now = clock.storeTime();
        CancelResult result = store.cancel(handler.name(), text, now);
        for (String former : handler.formerNames()) {
            CancelResult other = store.cancel(former, text, now);
            result = BY_WEIGHT.indexOf(other) > BY_WEIGHT.indexOf(result) ? other : result;
        }
        return told(result);
    }

    private CancelResult told(CancelResult result) {
        tell(List.of(result));
        return result;
    }

    private void tell(Collection<CancelResult> results) {
        if (results.contains(CancelResult.RUNNING)) {
            // The read may miss the cancelled job, because the caller's transaction may commit only later.
            look.accept(Paused.NOTHING);
        }
        results.forEach(result -> listeners.tell(listener -> listener.cancelled(result)));
    }

    @Override
    public AnswerResult answer(AnswerTicket ticket, Answer answer) {
        return answers.answer(ticket, answer);
    }

    @Override
    public ChangeResult reschedule(JobId id, Duration delay) {
        return reschedule(JobReads.checked(id), planner.after(delay));
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant instant) {
        return reschedule(JobReads.checked(id), planner.at(instant));
    }

    private ChangeResult reschedule(JobId id, JobPlan plan) {
        return store.reschedule(id, plan.dueAt(), random.nextLong(), nearDue);
    }

    @Override
    public ChangeResult retry(JobId id) {
        return store.retry(JobReads.checked(id), clock.storeTime(), random.nextLong(), nearDue);
    }

    @Override
    public ChangeResult retry(JobId id, Duration delay) {
        return store.retry(JobReads.checked(id), planner.after(delay).dueAt(), random.nextLong(), nearDue);
    }

    @Override
    public BulkResult change(BulkChange change) {
        reads.checked(change.query());
        return bulk.all(change);
    }

    @Override
    public BulkPage changePage(BulkChange change) {
        reads.checked(change.query());
        return bulk.page(change);
    }

    @Override
    public boolean pause(MethodReference handler) {
        return pause(references.handlerOf(handler).name());
    }

    @Override
    public boolean pause(String name) {
        return pause(known.handler(name), instance, null);
    }

    @Override
    public boolean pauseQueue(String queue) {
        return pause(known.queue(queue), instance, null);
    }

    @Override
    public boolean pause(String name, String by, @Nullable String reason) {
        return pause(known.handler(name), by, reason);
    }

    @Override
    public boolean pauseQueue(String queue, String by, @Nullable String reason) {
        return pause(known.queue(queue), by, reason);
    }

    private boolean pause(Paused what, String by, @Nullable String reason) {
        return store.pause(what, new PauseNote(clock.storeTime(), by, reason), () -> look.accept(what));
    }

    @Override
    public boolean resume(MethodReference handler) {
        return resume(references.handlerOf(handler).name());
    }

    @Override
    public boolean resume(String name) {
        return resume(known.handler(name));
    }

    @Override
    public boolean resumeQueue(String queue) {
        return resume(known.queue(queue));
    }

    private boolean resume(Paused what) {
        return store.resume(what, () -> look.accept(Paused.NOTHING));
    }

    @Override
    public Paused paused() {
        return store.paused();
    }

    @Override
    public List<PausedName> pauses() {
        return store.pauses();
    }

    @Override
    public Optional<Job> find(JobId id) {
        return reads.find(id);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return reads.find(name, key);
    }

    @Override
    public Optional<Vitals.Progress> progress(JobId id) {
        return reads.progress(id);
    }

    @Override
    public Optional<JobLog> log(JobId id) {
        return reads.log(id);
    }

    @Override
    public JobPage find(JobQuery query) {
        return reads.page(reads.checked(query));
    }

    @Override
    public Stream<Job> stream(JobQuery query) {
        return reads.stream(query);
    }
}
