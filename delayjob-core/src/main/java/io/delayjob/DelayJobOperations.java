package io.delayjob;

import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.job.BulkResult;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.PauseNote;
import io.delayjob.job.Paused;
import io.delayjob.job.PausedName;
import io.delayjob.store.JobPage;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Schedules, finds and changes jobs. In a Spring application, inject a {@code DelayJobTemplate} to get these
 * operations.
 *
 * <pre>{@code
 * jobs.schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
 * jobs.schedule(Reminders::remind).with(customer).repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));
 * jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", 42)).at(instant);   // a handler elsewhere
 * jobs.cancel(UnpaidOrders::cancel, 42L);
 * }</pre>
 *
 * <p>If the caller has a transaction on delayjob's data source, every change is part of that transaction. The change
 * takes effect when the transaction commits, and has no effect if it rolls back. Therefore the result of a call is
 * valid only after the commit. If the store cannot join transactions, a change within a transaction waits for the
 * commit. The call then returns {@code ON_COMMIT}, because its real result is known only after the commit.
 *
 * <p>If the input of a call is invalid, the call throws an {@link IllegalArgumentException}. The message states the
 * value and the rule. If the store is unavailable, the call throws an exception, and nothing is written. Thread-safe.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
public interface DelayJobOperations extends NamedJobs {

    /**
     * Returns the operations of one store, in an application with several named stores. The returned operations
     * schedule, find and change jobs only in that store:
     *
     * <pre>{@code
     * jobs.in("eu").schedule(Reminders::remind).with(customer).after(ofDays(1));
     * }</pre>
     *
     * @param store name of the store
     * @throws IllegalArgumentException when there is no such store
     */
    default DelayJobOperations in(String store) {
        throw new IllegalArgumentException(
                "Invalid store '%s': these operations have one store, without a name. Call them without in(…), or declare stores by delayjob.stores.<name>.* in a Spring application."
                        .formatted(store));
    }

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

    /**
     * Cancels the unfinished job of this handler and key.
     *
     * @param handler a variable of the type {@code MethodReference}. If you write the method reference into the call
     *     itself, the compiler chooses another overload, which does the same
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

    /**
     * Gives the result of an attempt, if its handler {@linkplain io.delayjob.handler.Next#awaitAnswer awaits an answer}
     * from another system. The attempt is identified by the {@linkplain io.delayjob.handler.JobContext#ticket() ticket}
     * that its handler has passed on. The answer may come even before the handler has returned. Any instance accepts
     * the answer, even one that does not have the handler. If the answer is {@link Answer#failed}, the job's own retry
     * policy applies. If the job has none, an instance with the handler decides whether another attempt follows.
     *
     * <p>{@link Answer#done} is accepted until the run has ended, even if the attempt counts as lost or timed out.
     * After this answer, the run has no further attempt. {@link Answer#failed} and {@link Answer#stillWorking} are
     * accepted only for the attempt under way.
     *
     * @throws io.delayjob.store.StoreException when the store fails. If this happens, repeat the call. If the first
     *     call was successful, the repeated call returns {@link AnswerResult#NOT_AWAITED}
     */
    AnswerResult answer(AnswerTicket ticket, Answer answer);

    /**
     * Retries every job that matches and has failed before this call, as {@link #retry(JobId)} does:
     *
     * <pre>{@code
     * jobs.retry(JobQuery.state(FAILED).name("send-webhook"));
     * }</pre>
     *
     * @param query must name the state {@link io.delayjob.job.JobState#FAILED}; see {@link #change}
     */
    default BulkResult retry(JobQuery query) {
        return change(BulkChange.retry(query));
    }

    /**
     * Cancels every job that matches and was scheduled before this call, as {@link #cancel(JobId)} does. After the
     * query has found a waiting job, an instance may claim this job before the call cancels it. The call skips such a
     * job. The call also skips a job that was found awaiting an answer, but was answered before the call could cancel
     * it.
     *
     * @param query must name an unfinished state; see {@link #change}
     */
    default BulkResult cancel(JobQuery query) {
        return change(BulkChange.cancel(query));
    }

    /**
     * Reschedules every waiting job that matches and was scheduled before this call: the job becomes due {@code delay}
     * from now, as with {@link #reschedule(JobId, Duration)}.
     *
     * @param query must name the state {@link io.delayjob.job.JobState#DELAYED} or {@link
     *     io.delayjob.job.JobState#READY}; see {@link #change}
     */
    default BulkResult reschedule(JobQuery query, Duration delay) {
        return change(BulkChange.reschedule(query, delay));
    }

    /**
     * Changes every matching job; there may be any number of jobs. A few statements in the database change
     * {@value JobQuery#MAX_LIMIT} jobs at a time.
     *
     * <p>If the caller has a transaction, all changes commit together with it. Until that commit, other callers that
     * change the same jobs must wait. Without a transaction of the caller, the jobs change in several transactions,
     * each of up to {@value JobQuery#MAX_LIMIT} jobs. If such a call fails in the middle, its earlier transactions stay
     * committed. A second call changes the rest.
     *
     * @param change the change; the {@link JobQuery#limit()} of its query does not apply
     */
    BulkResult change(BulkChange change);

    /**
     * Changes one page of matching jobs in one transaction. The page contains the jobs that {@link #find(JobQuery)}
     * would return. Use this method to show the progress of a change, or to stop it early.
     */
    BulkPage changePage(BulkChange change);

    /**
     * Pauses this handler in the whole cluster until {@link #resume} is called, even if all instances restart. The
     * handler's jobs are kept, and may still be scheduled, found and cancelled. As soon as the caller's transaction has
     * committed, this instance starts no more jobs of this handler. Other instances apply the pause within a heartbeat.
     * Attempts under way go on. Jobs that became due during the pause run when the handler is resumed. Repeating jobs
     * follow their misfire policy.
     *
     * @param handler a variable of the type {@code MethodReference}. If you write the method reference into the call
     *     itself, the compiler chooses another overload, which does the same
     * @return {@code true} if the handler was not paused before
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
     * Pauses the handler of this name; see {@link #pause(MethodReference)}. The handler may be in another application
     * that shares the store.
     *
     * @throws UnknownNameException when no registered instance has a handler of that name, and no waiting job has that
     *     name
     */
    boolean pause(String name);

    /**
     * Pauses a queue, with all jobs in it; see {@link #pause(MethodReference)}.
     *
     * @throws UnknownNameException when nobody knows the queue: it is not configured on this instance, no registered
     *     instance runs it, and it contains no unfinished jobs
     */
    boolean pauseQueue(String queue);

    /**
     * Pauses the handler of this name like {@link #pause(String)}, and stores who paused it and why.
     *
     * @param by author of the pause, such as the name of a person. The methods without this parameter store the name of
     *     this instance as the author
     * @param reason the reason of the pause, or {@code null}; at most {@value PauseNote#MAX_REASON} characters are kept
     * @return {@code true} if the handler was not paused before; otherwise the note of the earlier pause stays
     * @throws UnknownNameException when no instance has a handler of that name and no waiting job has that name
     */
    boolean pause(String name, String by, @Nullable String reason);

    /**
     * Pauses a queue like {@link #pauseQueue(String)}, and stores who paused it and why.
     *
     * @param by as in {@link #pause(String, String, String)}
     * @param reason as in {@link #pause(String, String, String)}
     * @return {@code true} if the queue was not paused before; otherwise the note of the earlier pause stays
     * @throws UnknownNameException when no instance in the cluster knows the queue
     */
    boolean pauseQueue(String queue, String by, @Nullable String reason);

    /**
     * Resumes this handler. Each instance reads the change within a heartbeat. Its next sweep, which is a search
     * through the store, then finds the overdue jobs. If the queue of the handler is also paused, the handler's jobs
     * still wait.
     *
     * @return whether the handler was paused
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
     * Resumes the handler of this name; see {@link #resume(MethodReference)}. A name that is paused can be resumed even
     * if its handler no longer exists.
     *
     * @throws UnknownNameException when the name is not paused, and no instance knows it
     */
    boolean resume(String name);

    /**
     * Resumes a queue. A handler that is paused by its own name stays paused.
     *
     * @throws UnknownNameException when the queue is not paused, and no instance knows it
     */
    boolean resumeQueue(String queue);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /**
     * Returns the paused handlers and queues. For each of them, the result says who paused it, since when and why. The
     * result is ordered by kind and name.
     */
    List<PausedName> pauses();

    /**
     * Returns one page of matching jobs: {@link JobQuery#limit()} jobs, or fewer if fewer jobs match. To read all
     * pages, use {@link #stream}.
     *
     * <p>The call reads rows until the page is full. One statement reads at most {@value JobQuery#MAX_LOOK} rows of
     * each table. If the query uses {@link JobQuery#lookAt}, the call may stop earlier. The page may then be short or
     * empty although there is a next page.
     *
     * @throws io.delayjob.store.StoreException when a statement takes longer than the store's time limit
     */
    JobPage find(JobQuery query);

    /**
     * Returns all matching jobs; there may be any number of jobs. While the stream is consumed, it reads one page of
     * jobs at a time. A page has at most {@link JobQuery#limit()} jobs. Between pages, the stream keeps nothing open.
     * So the caller need not close the stream, and may change jobs while reading from it.
     *
     * <pre>{@code
     * jobs.stream(JobQuery.state(FAILED).name("send-webhook")).filter(wanted).forEach(job -> jobs.retry(job.id()));
     * }</pre>
     *
     * <p>A query for one ended state returns only jobs that ended before this call, by the store's clock. Therefore a
     * job that is retried and fails again is returned only once. All other queries return only jobs that were scheduled
     * before this call. Therefore the stream does not return jobs that its consumer schedules.
     */
    Stream<Job> stream(JobQuery query);
}
