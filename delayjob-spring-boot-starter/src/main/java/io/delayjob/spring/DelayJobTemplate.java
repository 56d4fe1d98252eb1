package io.delayjob.spring;

import io.delayjob.BulkChange;
import io.delayjob.BulkPage;
import io.delayjob.CheckReturnValue;
import io.delayjob.DelayJobOperations;
import io.delayjob.JobGroup;
import io.delayjob.MethodReference;
import io.delayjob.NamedSpec;
import io.delayjob.PayloadSpec;
import io.delayjob.ScheduleSpec;
import io.delayjob.TwoPayloadsSpec;
import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.GroupStatus;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobLog;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@link DelayJobOperations} of a Spring container. These operations can be injected anywhere, including handlers
 * and listeners. Thread-safe.
 */
public class DelayJobTemplate implements DelayJobOperations {

    private final Supplier<? extends DelayJobOperations> delegate;

    /**
     * @param delegate finds the operations. Each call uses this supplier on the caller's thread, so the supplier must
     *     be fast
     */
    public DelayJobTemplate(Supplier<? extends DelayJobOperations> delegate) {
        this.delegate = delegate;
    }

    @Override
    public DelayJobOperations in(String store) {
        return delegate.get().in(store);
    }

    @Override
    public JobGroup group(String name) {
        return delegate.get().group(name);
    }

    @Override
    public List<GroupStatus> groups(int limit) {
        return delegate.get().groups(limit);
    }

    @Override
    public List<GroupStatus> endedGroups(int limit) {
        return delegate.get().endedGroups(limit);
    }

    @Override
    @CheckReturnValue
    public <B> ScheduleSpec schedule(MethodReference.NoPayload<B> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public <B> ScheduleSpec schedule(MethodReference.ContextOnly<B> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public <B, P> PayloadSpec<P> schedule(MethodReference.OnePayload<B, P> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public <B, P> PayloadSpec<P> schedule(MethodReference.PayloadAndContext<B, P> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloads<B, P, Q> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return delegate.get().schedule(handler);
    }

    @Override
    @CheckReturnValue
    public NamedSpec schedule(String name) {
        return delegate.get().schedule(name);
    }

    @Override
    public CancelResult cancel(JobId id) {
        return delegate.get().cancel(id);
    }

    @Override
    public CancelResult cancel(MethodReference handler, Object key) {
        return delegate.get().cancel(handler, key);
    }

    @Override
    public CancelResult cancel(String name, Object key) {
        return delegate.get().cancel(name, key);
    }

    @Override
    public AnswerResult answer(AnswerTicket ticket, Answer answer) {
        return delegate.get().answer(ticket, answer);
    }

    @Override
    public ChangeResult reschedule(JobId id, Duration delay) {
        return delegate.get().reschedule(id, delay);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant instant) {
        return delegate.get().reschedule(id, instant);
    }

    @Override
    public ChangeResult retry(JobId id) {
        return delegate.get().retry(id);
    }

    @Override
    public ChangeResult retry(JobId id, Duration delay) {
        return delegate.get().retry(id, delay);
    }

    @Override
    public BulkResult change(BulkChange change) {
        return delegate.get().change(change);
    }

    @Override
    public BulkPage changePage(BulkChange change) {
        return delegate.get().changePage(change);
    }

    @Override
    public boolean pause(MethodReference handler) {
        return delegate.get().pause(handler);
    }

    @Override
    public boolean pause(String name) {
        return delegate.get().pause(name);
    }

    @Override
    public boolean pauseQueue(String queue) {
        return delegate.get().pauseQueue(queue);
    }

    @Override
    public boolean pause(String name, String by, @Nullable String reason) {
        return delegate.get().pause(name, by, reason);
    }

    @Override
    public boolean pauseQueue(String queue, String by, @Nullable String reason) {
        return delegate.get().pauseQueue(queue, by, reason);
    }

    @Override
    public boolean resume(MethodReference handler) {
        return delegate.get().resume(handler);
    }

    @Override
    public boolean resume(String name) {
        return delegate.get().resume(name);
    }

    @Override
    public boolean resumeQueue(String queue) {
        return delegate.get().resumeQueue(queue);
    }

    @Override
    public Paused paused() {
        return delegate.get().paused();
    }

    @Override
    public List<PausedName> pauses() {
        return delegate.get().pauses();
    }

    @Override
    public Optional<Job> find(JobId id) {
        return delegate.get().find(id);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return delegate.get().find(name, key);
    }

    @Override
    public Optional<Vitals.Progress> progress(JobId id) {
        return delegate.get().progress(id);
    }

    @Override
    public Optional<JobLog> log(JobId id) {
        return delegate.get().log(id);
    }

    @Override
    public JobPage find(JobQuery query) {
        return delegate.get().find(query);
    }

    @Override
    public Stream<Job> stream(JobQuery query) {
        return delegate.get().stream(query);
    }
}
