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
import io.delayjob.store.Vitals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Schedules, finds and changes jobs. In a Spring application, inject a {@code DelayJobTemplate}.
 *
 * <pre>{@code
 * jobs.schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
 * jobs.schedule(Reminders::remind).with(customer).repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));
 * jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", 42)).at(instant);   // a handler elsewhere
 * jobs.cancel(UnpaidOrders::cancel, 42L);
 * }</pre>
 *
 * <p>Every change is part of the caller's transaction, if there is one on delayjob's data source. The change takes
 * effect when that transaction commits, and has no effect if it rolls back. So the result of a call, too, is valid only
 * after the commit. On a store that cannot join transactions, a change within a transaction waits for the commit. Such
 * a call returns {@code ON_COMMIT}, because its real result is known only after the commit.
 *
 * <p>A call with invalid input throws an {@link IllegalArgumentException}, whose message states the value and the rule.
 * If the store is unavailable, the call throws an exception, and nothing is written. Thread-safe.
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
     * @param handler a variable of the type {@code MethodReference}. If the call contains the method reference itself,
     *     the compiler chooses another overload, which does the same
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
     * Gives the result of an attempt whose handler {@linkplain io.delayjob.handler.Next#awaitAnswer awaits an answer}
     * from another system. The attempt is identified by the {@linkplain io.delayjob.handler.JobContext#ticket() ticket}
     * that the handler has passed on. The answer may come even before the handler has returned. Any instance accepts
     * the answer, even without the handler. If that instance does not have the handler and the job has no retry policy
     * of its own, the engine's default policy applies.
     *
     * <p>{@link Answer#done} is accepted until the run has ended, even if its attempt counts as lost or timed out. No
     * further attempt follows. {@link Answer#failed} and {@link Answer#stillWorking} are accepted only for the attempt
     * under way.
     *
     * @throws io.delayjob.store.StoreException when the store fails. Then repeat the call. If the first call was
     *     successful, the result is {@link AnswerResult#NOT_AWAITED}
     */
    AnswerResult answer(AnswerTicket ticket, Answer answer);

    /**
     * Retries every job that matches and has failed before this call, as {@link #retry(JobId)} does:
     *
     * <pre>{@code
     * jobs.retry(JobQuery.state(FAILED).name("send-webhook"));
     * }</pre>
     *
     * @param query must begin with {@link io.delayjob.job.JobState#FAILED}; see {@link #change}
     */
    default BulkResult retry(JobQuery query) {
        return change(BulkChange.retry(query));
    }

    /**
     * Cancels every job that matches and was scheduled before this call, as {@link #cancel(JobId)} does. If the query
     * finds waiting jobs, a job that an instance has claimed meanwhile is skipped. If the query finds jobs that await
     * an answer, a job that was answered meanwhile is skipped.
     *
     * @param query must begin with an unfinished state; see {@link #change}
     */
    default BulkResult cancel(JobQuery query) {
        return change(BulkChange.cancel(query));
    }

    /**
     * Makes every waiting job that matches and was scheduled before this call due {@code delay} from now, as {@link
     * #reschedule(JobId, Duration)} does.
     *
     * @param query must begin with {@link io.delayjob.job.JobState#DELAYED} or {@link io.delayjob.job.JobState#READY};
     *     see {@link #change}
     */
    default BulkResult reschedule(JobQuery query, Duration delay) {
        return change(BulkChange.reschedule(query, delay));
    }

    /**
     * Changes every job that matches, for any number of jobs. A few statements change {@value JobQuery#MAX_LIMIT} jobs
     * at a time.
     *
     * <p>Within a transaction of the caller, all changes commit together, and other callers that change these jobs wait
     * until then. Otherwise, each {@value JobQuery#MAX_LIMIT} jobs have their own transaction. After an error, the jobs
     * that were changed before it stay changed, and a second call changes the others.
     *
     * @param change the change; the {@link JobQuery#limit()} of its query does not apply
     */
    BulkResult change(BulkChange change);

    /**
     * Changes one page of matching jobs in one transaction. These are the jobs that {@link #find(JobQuery)} would
     * return. Use this method to show the progress of a change, or to stop it early.
     */
    BulkPage changePage(BulkChange change);

    /**
     * Pauses this handler in the whole cluster until it is resumed, even if all instances restart. The handler's jobs
     * are kept, and may still be scheduled, found and cancelled. From the commit of the caller's transaction on, this
     * instance starts no job of this handler. Other instances apply the pause within a heartbeat. Attempts under way go
     * on. Jobs that became due during the pause run when the handler is resumed. Repeating jobs follow their misfire
     * policy.
     *
     * @param handler a variable of the type {@code MethodReference}. If the call contains the method reference itself,
     *     the compiler chooses another overload, which does the same
     * @return {@code true} if it was not paused before
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
     * @throws UnknownNameException when the name is unknown: no registered instance has a handler of that name, and no
     *     waiting job has that name
     */
    boolean pause(String name);

    /**
     * Pauses a queue, with all jobs in it; see {@link #pause(MethodReference)}.
     *
     * @throws UnknownNameException when the queue is unknown: it is not configured here, no registered instance runs
     *     its jobs, and it has no unfinished job
     */
    boolean pauseQueue(String queue);

    /**
     * Pauses the handler of this name like {@link #pause(String)}, and stores who paused it and why.
     *
     * @param by author of the pause, such as the name of a person; the methods without this parameter store the name of
     *     this instance
     * @param reason reason of the pause, or {@code null}; at most {@value PauseNote#MAX_REASON} characters are kept
     * @return {@code true} if it was not paused before; otherwise the earlier note stays
     * @throws UnknownNameException when no instance has a handler of that name and no waiting job has that name
     */
    boolean pause(String name, String by, @Nullable String reason);

    /**
     * Pauses a queue like {@link #pauseQueue(String)}, and stores who paused it and why.
     *
     * @param by as in {@link #pause(String, String, String)}
     * @param reason as in {@link #pause(String, String, String)}
     * @return {@code true} if it was not paused before; otherwise the earlier note stays
     * @throws UnknownNameException when the queue is unknown in the whole cluster
     */
    boolean pauseQueue(String queue, String by, @Nullable String reason);

    /**
     * Resumes this handler. Each instance reads the change within a heartbeat, and its next sweep finds the overdue
     * jobs. If the queue of the handler is paused, too, its jobs still wait.
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
     * Resumes the handler of this name; see {@link #resume(MethodReference)}. A paused name can always be resumed,
     * even if such a handler no longer exists.
     *
     * @throws UnknownNameException when the name is neither paused nor known
     */
    boolean resume(String name);

    /**
     * Resumes a queue. Handlers that are paused by their name stay paused.
     *
     * @throws UnknownNameException when the queue is neither paused nor known
     */
    boolean resumeQueue(String queue);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /**
     * Returns the handlers and queues that are paused, and for each of them who paused it, since when and why. The
     * result is ordered by kind and name.
     */
    List<PausedName> pauses();

    /**
     * Returns the progress that the running attempt of a job has reported by {@link
     * io.delayjob.handler.JobContext#progress(long, long, String)}. The values are as old as the last heartbeat of the
     * instance that runs the job. Empty if the job does not run, or if its attempt has reported nothing yet.
     */
    Optional<Vitals.Progress> progress(JobId id);

    /**
     * Returns one page of matching jobs: {@link JobQuery#limit()} jobs, or all if fewer match. {@link #stream} reads
     * all pages.
     *
     * <p>The call reads until the page is full. One statement reads at most {@value JobQuery#MAX_LOOK} rows of each
     * table. With {@link JobQuery#lookAt}, the call may stop earlier. Then the page may be short or empty, although
     * there is a next page.
     *
     * @throws io.delayjob.store.StoreException when a statement takes longer than the store's time limit
     */
    JobPage find(JobQuery query);

    /**
     * Returns all matching jobs, for any number of jobs. The stream reads one page at a time while it is
     * consumed. A page has at most {@link JobQuery#limit()} jobs. Nothing is kept open between pages, so the stream
     * need not be closed, and its jobs may be changed meanwhile.
     *
     * <pre>{@code
     * jobs.stream(JobQuery.state(FAILED).name("send-webhook")).filter(wanted).forEach(job -> jobs.retry(job.id()));
     * }</pre>
     *
     * <p>A query for one ended state returns the jobs that ended before this call, by the store's clock. So a job that
     * is retried and fails again is not returned twice. Every other query returns the jobs that were scheduled before
     * this call. So the stream does not return jobs that its consumer schedules.
     */
    Stream<Job> stream(JobQuery query);
}
