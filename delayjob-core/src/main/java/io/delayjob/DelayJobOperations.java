package io.delayjob;

import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Schedules, finds and changes jobs. In a Spring application inject it (the bean is a {@code DelayJobTemplate}).
 *
 * <pre>{@code
 * jobs.schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
 * jobs.schedule(Reminders::remind).with(customer).repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));
 * jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", 42)).at(instant);   // a handler elsewhere
 * jobs.cancel(UnpaidOrders::cancel, 42L);
 * }</pre>
 *
 * <p>Every change is part of the caller's transaction, if there is one on delayjob's data source: it becomes true when that
 * commits, and never happened when it rolls back. Every answer holds under the same condition.
 *
 * <p>Bad input is refused at the call, with an {@link IllegalArgumentException} that names value, unit and rule. When the
 * store cannot be reached the call throws, and nothing is written. Thread-safe.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
public interface DelayJobOperations {

    /** Starts to schedule the handler {@code bean.method()}. */
    <B> ScheduleSpec schedule(MethodReference.NoPayload<B> handler);

    /** Starts to schedule the handler {@code bean.method(context)}. */
    <B> ScheduleSpec schedule(MethodReference.ContextOnly<B> handler);

    /** Starts to schedule the handler {@code bean.method(payload)}. */
    <B, P> PayloadSpec<P> schedule(MethodReference.OnePayload<B, P> handler);

    /** Starts to schedule the handler {@code bean.method(payload, context)}. */
    <B, P> PayloadSpec<P> schedule(MethodReference.PayloadAndContext<B, P> handler);

    /** Starts to schedule the handler {@code bean.method(first, second)}. */
    <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloads<B, P, Q> handler);

    /** Starts to schedule the handler {@code bean.method(first, second, context)}. */
    <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloadsAndContext<B, P, Q> handler);

    /** Starts to schedule a handler by its name; it may live in another application that shares the store. */
    NamedSpec schedule(String name);

    /** Cancels a job, unfinished or ended. */
    CancelResult cancel(JobId id);

    /** Cancels the unfinished job of this handler and key. */
    <B> CancelResult cancel(MethodReference.NoPayload<B> handler, Object key);

    /** Cancels the unfinished job of this handler and key. */
    <B, P> CancelResult cancel(MethodReference.OnePayload<B, P> handler, Object key);

    /** Cancels the unfinished job of this handler and key. */
    <B, P, Q> CancelResult cancel(MethodReference.TwoPayloads<B, P, Q> handler, Object key);

    /** Cancels the unfinished job of this handler and key. */
    <B, P, Q> CancelResult cancel(MethodReference.TwoPayloadsAndContext<B, P, Q> handler, Object key);

    /** Cancels the unfinished job of this handler name and key. */
    CancelResult cancel(String name, Object key);

    /** Makes a waiting job due {@code delay} from now; {@link Duration#ZERO} runs it now. */
    ChangeResult reschedule(JobId id, Duration delay);

    /** Makes a waiting job due at {@code instant}; one that has passed runs it now. */
    ChangeResult reschedule(JobId id, Instant instant);

    /** Brings a failed job back: it is due now and may fail as often again as its policy allows. */
    ChangeResult retry(JobId id);

    /** The job, unfinished or, while the history keeps it, ended. */
    Optional<Job> find(JobId id);

    /**
     * The unfinished job of this name and key; where there is none, the newest of those that have ended, while the history
     * keeps it.
     */
    Optional<Job> find(String name, String key);

    /** One page of the jobs that match. */
    JobPage find(JobQuery query);
}
