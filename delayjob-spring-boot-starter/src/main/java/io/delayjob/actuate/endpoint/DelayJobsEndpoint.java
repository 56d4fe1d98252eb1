package io.delayjob.actuate.endpoint;

import io.delayjob.DelayJobEngine;
import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.job.DueRow;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Partition;
import io.delayjob.settings.EngineSettings;
import io.delayjob.status.EngineStatus;
import io.delayjob.store.DueSpan;
import io.delayjob.store.FailureGroups;
import io.delayjob.store.InstanceRow;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.JobStore;
import io.delayjob.store.MinuteSpan;
import io.delayjob.store.StoreCapability;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Shows jobs and the state of the engine. Only the web extension makes changes. */
@Endpoint(id = "delayjobs", defaultAccess = Access.READ_ONLY)
class DelayJobsEndpoint {

    /**
     * Maximum time that a caller waits for the state of the timing wheel. In virtual time, the timing wheel is not
     * polled during this wait.
     */
    private static final Duration WHEEL_PATIENCE = Duration.ofMillis(250);

    private static final int MAX_ATTEMPTS = 100;

    private static final int DUE_OF_EACH_PARTITION = 100;

    private static final Duration AROUND_NOW_LASTS = Duration.ofSeconds(2);

    private final DelayJobEngine engine;
    private final JobStore store;
    private final HandlerRegistry handlers;
    private final EngineSettings settings;
    private final EngineClock clock;
    private final WaitingJobs waiting;
    private final KeySearch keys;
    private final StepwiseSearch search;
    private final Shared<AroundNowDescriptor> aroundNow;

    DelayJobsEndpoint(
            DelayJobEngine engine,
            JobStore store,
            HandlerRegistry handlers,
            EngineSettings settings,
            EngineClock clock) {
        this.engine = engine;
        this.store = store;
        this.handlers = handlers;
        this.settings = settings;
        this.clock = clock;
        this.waiting = new WaitingJobs(store, handlers, clock);
        this.keys = new KeySearch(engine.operations(), store, handlers);
        this.search = new StepwiseSearch(engine.operations(), clock);
        this.aroundNow = new Shared<>(
                () -> AroundNowDescriptor.of(clock.storeTime(), query -> jobs(query, false)), clock, AROUND_NOW_LASTS);
    }

    @ReadOperation
    SummaryDescriptor summary() {
        return SummaryDescriptor.of(store.counts(clock.storeTime()), store.pauses(), engine.status());
    }

    JobsDescriptor jobs(JobQuery query, boolean showsPayload) {
        JobQuery bounded = query.lookAt(JobQuery.MAX_LOOK);
        long begin = clock.nanoTime();
        JobPage ofKey = keys.find(bounded);
        JobPage page = ofKey == null ? search.find(bounded) : ofKey;
        Duration took = Duration.ofNanos(clock.nanoTime() - begin);
        JobsDescriptor answer = JobsDescriptor.of(page, bounded, pauses(), showsPayload, took);
        return ofKey == null ? answer : answer.ofKnownNames();
    }

    /** All viewers share an answer for two seconds, so the cost does not grow with their number. */
    AroundNowDescriptor aroundNow() {
        return aroundNow.get();
    }

    DueDescriptor due(RequestParameters request) {
        DueSpan span = DueDescriptor.span(request, clock.storeTime());
        return DueDescriptor.of(span, store.due(span));
    }

    FailuresDescriptor failures(RequestParameters request) {
        FailureGroups.Span span = FailuresDescriptor.span(request, clock.storeTime());
        return FailuresDescriptor.of(
                span, store.failures(span), settings.history().failed());
    }

    MinutesDescriptor minutes(RequestParameters request) {
        MinuteSpan span = MinutesDescriptor.span(request, clock.storeTime());
        return MinutesDescriptor.of(span, engine.minutesKept(), engine.minutes(span));
    }

    @Nullable
    JobDetailsDescriptor job(JobId id, @Nullable String payloadHidden) {
        Job job = engine.operations().find(id).orElse(null);
        if (job == null) {
            return null;
        }
        Pauses pauses = pauses();
        List<InstanceRow> register =
                job.state().isEnded() ? List.of() : store.instances().list();
        JobLog running = reported(register, instance -> instance.logOf(job));
        return JobDetailsDescriptor.of(
                job,
                pauses,
                store.attempts(id, MAX_ATTEMPTS),
                payloadHidden,
                AttemptTerms.of(job, handlers.find(job.name()), settings.attempts()),
                reported(register, instance -> instance.progressOf(job)),
                running == null ? job.log() : running,
                job.state().isEnded() ? null : why(job, pauses, register));
    }

    private static <T> @Nullable T reported(List<InstanceRow> register, Function<InstanceRow, Optional<T>> report) {
        return register.stream()
                .flatMap(instance -> report.apply(instance).stream())
                .findFirst()
                .orElse(null);
    }

    private List<WhyNotRunning.Finding> why(Job job, Pauses pauses, List<InstanceRow> register) {
        return new WhyNotRunning(
                        clock.storeTime(),
                        pauses,
                        store.instances().handlers(),
                        instances(register).instances(),
                        engine.status(),
                        settings.attempts().timeout())
                .of(job);
    }

    private Pauses pauses() {
        return new Pauses(store.paused(), handlers);
    }

    HandlersDescriptor handlers() {
        return HandlersDescriptor.of(
                handlers,
                store.instances().handlersByInstance(),
                pauses(),
                PausedDescriptor.of(store.pauses()),
                firstDue(),
                waiting.get());
    }

    /** Reads by the index of due times, so the cost does not depend on the number of waiting jobs. */
    private List<DueRow> firstDue() {
        Instant now = clock.storeTime();
        List<Partition> begun = store.partitionsInUse().entrySet().stream()
                .filter(earliest -> !earliest.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        return store.firstDue(begun, now, DUE_OF_EACH_PARTITION);
    }

    @Nullable
    HandlerDescriptor handler(String name) {
        Handler handler = handlers.find(name);
        return handler == null
                ? null
                : HandlerDescriptor.of(
                        handler,
                        pauses(),
                        waiting.get().schedules().get(handler.name()),
                        store.instances().handlersByInstance());
    }

    QueuesDescriptor queues() {
        Pauses pauses = pauses();
        EngineStatus status = engine.status();
        return new QueuesDescriptor(
                engine.queues().stream()
                        .map(name -> QueueDescriptor.of(name, settings, handlers, pauses, status))
                        .toList(),
                PausedDescriptor.of(store.pauses()));
    }

    @Nullable
    QueueDescriptor queue(String name) {
        return engine.queues().contains(name)
                ? QueueDescriptor.of(name, settings, handlers, pauses(), engine.status())
                : null;
    }

    GroupsDescriptor groups() {
        return keepsGroups() ? GroupsDescriptor.of(store.groups()) : GroupsDescriptor.NONE;
    }

    @Nullable
    GroupDescriptor group(String name) {
        return keepsGroups()
                ? store.groups().find(name).map(GroupDescriptor::of).orElse(null)
                : null;
    }

    private boolean keepsGroups() {
        return store.capabilities().has(StoreCapability.GROUPS);
    }

    WheelDescriptor wheel() {
        return WheelDescriptor.of(engine.status(), engine.wheel(WHEEL_PATIENCE));
    }

    InstancesDescriptor instances() {
        return instances(store.instances().list());
    }

    private InstancesDescriptor instances(List<InstanceRow> register) {
        EngineStatus status = engine.status();
        return InstancesDescriptor.of(
                register, engine.notHeardOfPauses(), status, settings.cluster().liveness());
    }

    Set<String> notHeardOfPauses() {
        return engine.notHeardOfPauses();
    }
}
