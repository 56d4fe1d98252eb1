package io.delayjob;

import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.ChangeResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.Paused;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

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
 * <p>Every change is part of the caller's transaction, if there is one on delayjob's data source: it becomes true when
 * that commits, and never happened when it rolls back. Every answer holds under the same condition.
 *
 * <p>Bad input is refused at the call, with an {@link IllegalArgumentException} that names value, unit and rule. When
 * the store cannot be reached the call throws, and nothing is written. Thread-safe.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
public interface DelayJobOperations {

    /** Starts to schedule the handler {@code bean.method()}. */
    @CheckReturnValue
    <B> ScheduleSpec schedule(MethodReference.NoPayload<B> handler);

    /** Starts to schedule the handler {@code bean.method(context)}. */
    @CheckReturnValue
    <B> ScheduleSpec schedule(MethodReference.ContextOnly<B> handler);

    /** Starts to schedule the handler {@code bean.method(payload)}. */
    @CheckReturnValue
    <B, P> PayloadSpec<P> schedule(MethodReference.OnePayload<B, P> handler);

    /** Starts to schedule the handler {@code bean.method(payload, context)}. */
    @CheckReturnValue
    <B, P> PayloadSpec<P> schedule(MethodReference.PayloadAndContext<B, P> handler);

    /** Starts to schedule the handler {@code bean.method(first, second)}. */
    @CheckReturnValue
    <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloads<B, P, Q> handler);

    /** Starts to schedule the handler {@code bean.method(first, second, context)}. */
    @CheckReturnValue
    <B, P, Q> TwoPayloadsSpec<P, Q> schedule(MethodReference.TwoPayloadsAndContext<B, P, Q> handler);

    /** Starts to schedule a handler by its name; it may live in another application that shares the store. */
    @CheckReturnValue
    NamedSpec schedule(String name);

    /** Cancels a job, unfinished or ended. */
    CancelResult cancel(JobId id);

    /**
     * Cancels the unfinished job of this handler and key.
     *
     * @param handler a reference that was kept; one written on the spot goes to the other overloads, which do the same
     */
    CancelResult cancel(MethodReference handler, Object key);

    /** Cancels the unfinished job of this handler and key. */
    default <B> CancelResult cancel(MethodReference.NoPayload<B> handler, Object key) {
        return cancel((MethodReference) handler, key);
    }

    /** Cancels the unfinished job of this handler and key. */
    default <B, P> CancelResult cancel(MethodReference.OnePayload<B, P> handler, Object key) {
        return cancel((MethodReference) handler, key);
    }

    /** Cancels the unfinished job of this handler and key. */
    default <B, P, Q> CancelResult cancel(MethodReference.TwoPayloads<B, P, Q> handler, Object key) {
        return cancel((MethodReference) handler, key);
    }

    /** Cancels the unfinished job of this handler and key. */
    default <B, P, Q> CancelResult cancel(MethodReference.TwoPayloadsAndContext<B, P, Q> handler, Object key) {
        return cancel((MethodReference) handler, key);
    }

    /** Cancels the unfinished job of this handler name and key. */
    CancelResult cancel(String name, Object key);

    /** Makes a waiting job due {@code delay} from now; {@link Duration#ZERO} runs it now. */
    ChangeResult reschedule(JobId id, Duration delay);

    /** Makes a waiting job due at {@code instant}; one that has passed runs it now. */
    ChangeResult reschedule(JobId id, Instant instant);

    /** Brings a failed job back: it is due now and may fail as often again as its policy allows. */
    ChangeResult retry(JobId id);

    /**
     * Brings a failed job back, due {@code delay} from now. To bring many back, give each another delay, so that they do
     * not start together.
     */
    ChangeResult retry(JobId id, Duration delay);

    /**
     * Brings back every failed job that matches and has failed before this call, as {@link #retry(JobId)} does:
     *
     * <pre>{@code
     * jobs.retry(JobQuery.state(FAILED).name("send-webhook"));
     * }</pre>
     *
     * <p>Within a transaction of the caller everything commits together. Otherwise each job is retried by itself. After
     * an error the jobs retried so far stay retried, and a second call continues with the others.
     *
     * @param query must begin with {@link io.delayjob.job.JobState#FAILED}; its {@link JobQuery#limit()} is only the
     *     size of the pages that are read, not a limit of the jobs
     */
    BulkResult retry(JobQuery query);

    /**
     * Pauses this handler in the whole cluster, until it is resumed; restarts change nothing about it. Its jobs are
     * kept and may be scheduled, found and cancelled; none is started once the instances have heard of it: this one as
     * soon as the caller's transaction has committed, the others within a heartbeat. Attempts under way go on. What
     * came due meanwhile is overdue when the handler is resumed, and runs then; of repeating jobs, as their misfire
     * policy says.
     *
     * @param handler a reference that was kept; one written on the spot goes to the other overloads, which do the same
     * @return whether it was not paused before
     */
    boolean pause(MethodReference handler);

    /** Pauses this handler; see {@link #pause(MethodReference)}. */
    default <B> boolean pause(MethodReference.NoPayload<B> handler) {
        return pause((MethodReference) handler);
    }

    /** Pauses this handler; see {@link #pause(MethodReference)}. */
    default <B, P> boolean pause(MethodReference.OnePayload<B, P> handler) {
        return pause((MethodReference) handler);
    }

    /** Pauses this handler; see {@link #pause(MethodReference)}. */
    default <B, P, Q> boolean pause(MethodReference.TwoPayloads<B, P, Q> handler) {
        return pause((MethodReference) handler);
    }

    /** Pauses this handler; see {@link #pause(MethodReference)}. */
    default <B, P, Q> boolean pause(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return pause((MethodReference) handler);
    }

    /**
     * Pauses the handler of this name; see {@link #pause(MethodReference)}. It may live in another application that
     * shares the store.
     *
     * @throws UnknownNameException when nobody knows the name: no instance that is registered runs such a handler, and
     *     no waiting job bears it
     */
    boolean pause(String name);

    /**
     * Pauses a queue, whatever handlers its jobs have; see {@link #pause(MethodReference)}.
     *
     * @throws UnknownNameException when nobody knows the queue: it is not configured here, no instance that is
     *     registered works it, and no unfinished job lies in it
     */
    boolean pauseQueue(String queue);

    /**
     * Resumes this handler: what is overdue is found by the instances' next sweep, once they have heard of it. Its
     * queue may be paused all the same.
     *
     * @return whether it was paused
     */
    boolean resume(MethodReference handler);

    /** Resumes this handler; see {@link #resume(MethodReference)}. */
    default <B> boolean resume(MethodReference.NoPayload<B> handler) {
        return resume((MethodReference) handler);
    }

    /** Resumes this handler; see {@link #resume(MethodReference)}. */
    default <B, P> boolean resume(MethodReference.OnePayload<B, P> handler) {
        return resume((MethodReference) handler);
    }

    /** Resumes this handler; see {@link #resume(MethodReference)}. */
    default <B, P, Q> boolean resume(MethodReference.TwoPayloads<B, P, Q> handler) {
        return resume((MethodReference) handler);
    }

    /** Resumes this handler; see {@link #resume(MethodReference)}. */
    default <B, P, Q> boolean resume(MethodReference.TwoPayloadsAndContext<B, P, Q> handler) {
        return resume((MethodReference) handler);
    }

    /**
     * Resumes the handler of this name; see {@link #resume(MethodReference)}. What is paused can always be resumed,
     * whether there is such a handler any more or not.
     *
     * @throws UnknownNameException when the name is not paused, and nobody knows it
     */
    boolean resume(String name);

    /**
     * Resumes a queue; handlers of its jobs that are paused themselves stay so.
     *
     * @throws UnknownNameException when the queue is not paused, and nobody knows it
     */
    boolean resumeQueue(String queue);

    /** What is paused. */
    Paused paused();

    /** The job, unfinished or, while the history keeps it, ended. */
    Optional<Job> find(JobId id);

    /**
     * The unfinished job of this name and key; where there is none, the newest of those that have ended, while the
     * history keeps it.
     */
    Optional<Job> find(String name, String key);

    /**
     * One page of matching jobs: {@link JobQuery#limit()} of them, or all if there are fewer. {@link #stream} reads all
     * pages.
     *
     * <p>It looks as far as it takes to fill the page, {@value JobQuery#MAX_LOOK} rows of each table in one statement. A
     * query that states {@link JobQuery#lookAt} stops earlier: its page may then be short, or empty, and still have a
     * next one.
     *
     * @throws io.delayjob.store.StoreException when a statement takes longer than the store lets reads of this kind take
     */
    JobPage find(JobQuery query);

    /**
     * All jobs that match, however many. Pages of {@link JobQuery#limit()} jobs are read while the stream is consumed;
     * nothing is kept open in between, so it needs no closing, and its jobs may be changed meanwhile.
     *
     * <pre>{@code
     * jobs.stream(JobQuery.state(DELAYED).name("send-webhook")).forEach(job -> jobs.cancel(job.id()));
     * }</pre>
     *
     * <p>Of one ended state it shows the jobs that have ended before this call, by the store's clock: a job that is
     * retried and fails again does not come a second time. Of all others it shows those that were scheduled before this
     * call: what its consumer schedules does not come behind them.
     */
    Stream<Job> stream(JobQuery query);
}
