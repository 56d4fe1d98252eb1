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
import io.delayjob.UnknownNameException;
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
import io.delayjob.store.StoreException;
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Passes each call on to the engine of its store, by the rules of {@link DelayJobStores#operations()}. Thread-safe. */
final class RoutedOperations implements DelayJobOperations {

    private final DelayJobStores stores;
    private final @Nullable String only;

    /** @param only {@code null} if the store must be found for each call */
    RoutedOperations(DelayJobStores stores, @Nullable String only) {
        this.stores = stores;
        this.only = only;
    }

    @Override
    public DelayJobOperations in(String store) {
        return new RoutedOperations(stores, stores.get(store).name());
    }

    private DelayJobOperations at(String store) {
        return stores.get(store).engine().operations();
    }

    private DelayJobOperations general() {
        return at(only == null ? DelayJobStores.DEFAULT : only);
    }

    /** Returns the name of the handler's store; {@code null} if the key of each job determines the store. */
    private @Nullable String storeOf(String handler) {
        String stated = stores.statedStore(handler);
        if (only != null && stated != null && !stated.equals(only)) {
            throw new IllegalArgumentException(
                    "Invalid store '%s' for handler '%s': must be '%s', which the handler states (store = \"%s\"), because the handler runs jobs of that store only. Leave out in(\"%s\"), or remove the store from the handler's annotation."
                            .formatted(only, handler, stated, stated, only));
        }
        if (only != null || stated != null) {
            return only == null ? stated : only;
        }
        return stores.selector() == null ? DelayJobStores.DEFAULT : null;
    }

    private DelayJobOperations chosen(String handler, @Nullable Object key) {
        StoreSelector selector = stores.selector();
        String text = key == null ? null : key.toString();
        String store = selector == null ? DelayJobStores.DEFAULT : selector.select(handler, text);
        if (!stores.names().contains(store)) {
            throw new IllegalArgumentException(
                    "The StoreSelector chose store '%s' for handler '%s' and key '%s': must be one of %s. Correct the bean, or declare the store by delayjob.stores.%s.*."
                            .formatted(store, handler, text, stores.names(), store));
        }
        return at(store);
    }

    private DelayJobOperations at(String handler, @Nullable Object key) {
        String store = only == null ? storeOf(handler) : only;
        return store == null ? chosen(handler, key) : at(store);
    }

    private DelayJobOperations at(JobQuery query) {
        String name = query == null ? null : query.name(); // The engine refuses null.
        if (name == null || query.key() == null && stores.statedStore(name) == null) {
            return general();
        }
        return at(name, query.key());
    }

    private <S> S schedule(Class<? super S> step, String handler, Function<DelayJobOperations, S> begin) {
        String store = storeOf(handler);
        return store == null ? ScheduleByKey.begin(step, begin, key -> chosen(handler, key)) : begin.apply(at(store));
    }

    @Override
    @CheckReturnValue
    public <B> ScheduleSpec schedule(MethodReference.NoPayload<B> handler) {
        return schedule(ScheduleSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public <B> ScheduleSpec schedule(MethodReference.ContextOnly<B> handler) {
        return schedule(ScheduleSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public <B, P> PayloadSpec<P> schedule(MethodReference.OnePayload<B, P> handler) {
        return schedule(PayloadSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public <B, P> PayloadSpec<P> schedule(MethodReference.PayloadAndContext<B, P> handler) {
        return schedule(PayloadSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloads<B, P, Q> handler) {
        return schedule(TwoPayloadsSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return schedule(TwoPayloadsSpec.class, stores.nameOf(handler), jobs -> jobs.schedule(handler));
    }

    @Override
    @CheckReturnValue
    public NamedSpec schedule(String name) {
        return schedule(NamedSpec.class, name, jobs -> jobs.schedule(name));
    }

    @Override
    public JobGroup group(String name) {
        if (only == null && stores.names().size() > 1) {
            throw new IllegalArgumentException(
                    "Invalid group '%s': must name its store, because a group counts jobs of one store, and this application has several stores. Call in(\"…\").group(…) and in(\"…\").schedule(…) with one of %s."
                            .formatted(name, stores.names()));
        }
        return general().group(name);
    }

    @Override
    public List<GroupStatus> groups(int limit) {
        return general().groups(limit);
    }

    @Override
    public List<GroupStatus> endedGroups(int limit) {
        return general().endedGroups(limit);
    }

    @Override
    public CancelResult cancel(MethodReference handler, Object key) {
        return at(stores.nameOf(handler), key).cancel(handler, key);
    }

    @Override
    public CancelResult cancel(String name, Object key) {
        return at(name, key).cancel(name, key);
    }

    @Override
    public Optional<Job> find(String name, String key) {
        return at(name, key).find(name, key);
    }

    @Override
    public Optional<Job> find(JobId id) {
        return holder(id).find(id);
    }

    @Override
    public Optional<Vitals.Progress> progress(JobId id) {
        return holder(id).progress(id);
    }

    @Override
    public Optional<JobLog> log(JobId id) {
        return holder(id).log(id);
    }

    /**
     * Returns the operations of the store that has the job. If no store has the job, this method returns the operations
     * of the default store. A store that does not answer matters only if no other store has the job.
     */
    private DelayJobOperations holder(JobId id) {
        if (only != null) {
            return at(only);
        }
        StoreException unanswered = null;
        for (DelayJobStore store : stores.all()) {
            try {
                DelayJobOperations operations = store.engine().operations();
                if (operations.find(id).isPresent()) {
                    return operations;
                }
            } catch (StoreException away) {
                unanswered = unanswered == null ? away : unanswered;
            }
        }
        if (unanswered != null) {
            throw unanswered;
        }
        return general();
    }

    @Override
    public CancelResult cancel(JobId id) {
        return holder(id).cancel(id);
    }

    @Override
    public ChangeResult reschedule(JobId id, Duration delay) {
        return holder(id).reschedule(id, delay);
    }

    @Override
    public ChangeResult reschedule(JobId id, Instant instant) {
        return holder(id).reschedule(id, instant);
    }

    @Override
    public ChangeResult retry(JobId id) {
        return holder(id).retry(id);
    }

    @Override
    public ChangeResult retry(JobId id, Duration delay) {
        return holder(id).retry(id, delay);
    }

    @Override
    public AnswerResult answer(AnswerTicket ticket, Answer answer) {
        return holder(ticket.job()).answer(ticket, answer);
    }

    /** If a store does not answer, the change is still made in the other stores. */
    private boolean everywhere(@Nullable String store, Predicate<DelayJobOperations> change) {
        Collection<String> all = store == null ? stores.names() : List.of(store);
        boolean changed = false;
        UnknownNameException unknown = null;
        StoreException unanswered = null;
        int known = 0;
        for (String name : all) {
            try {
                changed |= change.test(at(name));
                known++;
            } catch (UnknownNameException notHere) {
                unknown = notHere;
            } catch (StoreException away) {
                if (unanswered == null) {
                    unanswered = away;
                } else {
                    unanswered.addSuppressed(away);
                }
            }
        }
        if (unanswered != null) {
            throw unanswered;
        }
        if (known == 0 && unknown != null) {
            throw unknown;
        }
        return changed;
    }

    /** Returns the store in which the handler is paused; {@code null} for all stores. */
    private @Nullable String pausedIn(String handler) {
        return only == null ? stores.statedStore(handler) : only;
    }

    @Override
    public boolean pause(MethodReference handler) {
        return pause(stores.nameOf(handler));
    }

    @Override
    public boolean pause(String name) {
        return everywhere(pausedIn(name), jobs -> jobs.pause(name));
    }

    @Override
    public boolean pauseQueue(String queue) {
        return everywhere(only, jobs -> jobs.pauseQueue(queue));
    }

    @Override
    public boolean pause(String name, String by, @Nullable String reason) {
        return everywhere(pausedIn(name), jobs -> jobs.pause(name, by, reason));
    }

    @Override
    public boolean pauseQueue(String queue, String by, @Nullable String reason) {
        return everywhere(only, jobs -> jobs.pauseQueue(queue, by, reason));
    }

    @Override
    public boolean resume(MethodReference handler) {
        return resume(stores.nameOf(handler));
    }

    @Override
    public boolean resume(String name) {
        return everywhere(pausedIn(name), jobs -> jobs.resume(name));
    }

    @Override
    public boolean resumeQueue(String queue) {
        return everywhere(only, jobs -> jobs.resumeQueue(queue));
    }

    @Override
    public Paused paused() {
        return general().paused();
    }

    @Override
    public List<PausedName> pauses() {
        return general().pauses();
    }

    @Override
    public BulkResult change(BulkChange change) {
        return at(change.query()).change(change);
    }

    @Override
    public BulkPage changePage(BulkChange change) {
        return at(change.query()).changePage(change);
    }

    @Override
    public JobPage find(JobQuery query) {
        return at(query).find(query);
    }

    @Override
    public Stream<Job> stream(JobQuery query) {
        return at(query).stream(query);
    }
}
