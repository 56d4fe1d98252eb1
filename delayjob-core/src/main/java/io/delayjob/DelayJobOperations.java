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
 * Schedules, finds and changes jobs. In a Spring application, inject a {@code DelayJobTemplate}.
 *
 * <pre>{@code
 * jobs.schedule(UnpaidOrders::cancel).with(42L).key(42L).after(ofMinutes(30));
 * jobs.schedule(Reminders::remind).with(customer).repeat(Repeat.offsets(ofHours(1), ofDays(1), ofDays(3)));
 * jobs.schedule("cancel-unpaid-order").with(Map.of("orderId", 42)).at(instant);   // a handler elsewhere
 * jobs.cancel(UnpaidOrders::cancel, 42L);
 * }</pre>
 *
 * <p>If the caller has a transaction on delayjob's data source, every change is part of that transaction. So the result
 * of a call is valid only after the commit. If the store cannot join transactions, the change waits for the commit, and
 * the call returns {@code ON_COMMIT}.
 *
 * <p>A call with invalid input throws an {@link IllegalArgumentException}. The message states the value and the rule.
 * If the store is unavailable, the call throws an exception, and nothing is written. Thread-safe.
 */
@SuppressWarnings("overloads") // a handler with a context is the more special case of one with a payload
public interface DelayJobOperations extends NamedJobs {

    /**
     * Returns the operations of one store, in an application with several named stores:
     *
     * <pre>{@code
     * jobs.in("eu").schedule(Reminders::remind).with(customer).after(ofDays(1));
     * }</pre>
     *
     * @throws IllegalArgumentException if there is no store with this name
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
     * @param handler the handler, in a variable of the type {@code MethodReference}. If the argument is written as a
     *     method reference, the compiler chooses another overload, which does the same
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
     * Answers an attempt that {@linkplain io.delayjob.handler.Next#awaitAnswer awaits an answer} from another system.
     * The answer becomes the result of the attempt. Only {@link Answer#stillWorking} does not end the attempt: it sets
     * a new deadline. The answer may come even before the handler has returned. Any instance accepts the answer. If the
     * answer is {@link Answer#failed}, the job's retry policy applies.
     *
     * <p>{@link Answer#done} is accepted until the run has ended, even if the attempt counts as lost or timed out.
     * {@link Answer#failed} and {@link Answer#stillWorking} are accepted only for the attempt under way.
     *
     * @param ticket the {@linkplain io.delayjob.handler.JobContext#ticket() ticket} that the handler has passed to the
     *     other system
     * @throws io.delayjob.store.StoreException if the store fails. Repeat the call. If the store has ended the attempt
     *     in spite of this exception, the repeated call returns {@link AnswerResult#NOT_AWAITED}
     */
    AnswerResult answer(AnswerTicket ticket, Answer answer);

    /**
     * Retries every matching job that failed before this call; see {@link #retry(JobId)}:
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
     * Cancels every matching job that was scheduled before this call; see {@link #cancel(JobId)}. The call skips a
     * waiting job that is claimed during the call. It also skips an awaiting job that is answered during the call.
     *
     * @param query must name an unfinished state; see {@link #change}
     */
    default BulkResult cancel(JobQuery query) {
        return change(BulkChange.cancel(query));
    }

    /**
     * Reschedules every matching job that was scheduled before this call; see {@link #reschedule(JobId, Duration)}.
     *
     * @param query must name the state {@link io.delayjob.job.JobState#DELAYED} or
     *     {@link io.delayjob.job.JobState#READY}; see {@link #change}
     */
    default BulkResult reschedule(JobQuery query, Duration delay) {
        return change(BulkChange.reschedule(query, delay));
    }

    /**
     * Changes every matching job, however many jobs match.
     *
     * <p>If the caller has a transaction, all changes commit together with it. Until that commit, other callers that
     * change these jobs must wait. If the caller has no transaction, each page of up to {@value JobQuery#MAX_LIMIT}
     * jobs has its own transaction. If such a call fails, repeat the call to change the remaining jobs.
     *
     * @param change the change; the {@link JobQuery#limit()} of its query does not apply
     */
    BulkResult change(BulkChange change);

    /**
     * Changes one page of matching jobs in one transaction: the jobs that {@link #find(JobQuery)} would return. Use
     * this method to show the progress of a change, or to stop it early.
     */
    BulkPage changePage(BulkChange change);

    /**
     * Pauses this handler in the whole cluster until {@link #resume} is called, even if all instances restart. Jobs of
     * a paused handler are kept, and may still be scheduled, found and cancelled. After the commit, this instance
     * starts no more jobs of this handler. Other instances read the pause within a heartbeat. Attempts under way go on.
     * When the handler is resumed, the jobs that became due during the pause are run. Repeating jobs follow their
     * misfire policy.
     *
     * @param handler the handler, in a variable of the type {@code MethodReference}. If the argument is written as a
     *     method reference, the compiler chooses another overload, which does the same
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
     * @throws UnknownNameException if no registered instance has a handler of that name, and no waiting job has that
     *     name
     */
    boolean pause(String name);

    /**
     * Pauses a queue, with all jobs in it; see {@link #pause(MethodReference)}.
     *
     * @throws UnknownNameException if the queue is not configured here, runs on no registered instance, and has no
     *     unfinished jobs
     */
    boolean pauseQueue(String queue);

    /**
     * Pauses the handler of this name, as {@link #pause(String)} does. This method also stores who paused the
     * handler, and why.
     *
     * @param by author of the pause, such as a person. In an overload without this parameter, this instance is the
     *     author
     * @param reason the reason, or {@code null}; at most {@value PauseNote#MAX_REASON} characters are kept
     * @return {@code true} if the handler was not paused before. An earlier pause keeps its author and reason
     * @throws UnknownNameException if no instance has a handler of that name and no waiting job has that name
     */
    boolean pause(String name, String by, @Nullable String reason);

    /**
     * Pauses a queue, as {@link #pauseQueue(String)} does. This method also stores who paused the queue, and why.
     *
     * @return {@code true} if the queue was not paused before. An earlier pause keeps its author and reason
     * @throws UnknownNameException if no instance in the cluster knows the queue
     */
    boolean pauseQueue(String queue, String by, @Nullable String reason);

    /**
     * Resumes this handler. Each instance reads the change within a heartbeat, and its next sweep finds the overdue
     * jobs. If the queue of the handler is also paused, the jobs still wait.
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
     * Resumes the handler of this name, even if the handler no longer exists; see {@link #resume(MethodReference)}.
     *
     * @throws UnknownNameException if the name is not paused, and no instance knows it
     */
    boolean resume(String name);

    /**
     * Resumes a queue. If a handler of the queue is also paused, the handler stays paused.
     *
     * @throws UnknownNameException if the queue is not paused, and no instance knows it
     */
    boolean resumeQueue(String queue);

    /** Returns the handlers and queues that are paused. */
    Paused paused();

    /** Returns the paused handlers and queues, with author, time and reason, ordered by kind and name. */
    List<PausedName> pauses();

    /**
     * Returns one page of matching jobs. The page size is {@link JobQuery#limit()}. If fewer jobs match, the page is
     * shorter. To read all pages, use {@link #stream}.
     *
     * <p>One statement reads at most {@value JobQuery#MAX_LOOK} rows from each table. With {@link JobQuery#lookAt}, a
     * page may be short or empty although there is a next page.
     *
     * @throws io.delayjob.store.StoreException if a statement takes longer than the store's time limit
     */
    JobPage find(JobQuery query);

    /**
     * Returns all matching jobs, however many jobs match. The stream reads one page at a time, with
     * {@link JobQuery#limit()} as the page size. The stream keeps nothing open. So the caller need not close the
     * stream, and may change jobs while reading.
     *
     * <pre>{@code
     * jobs.stream(JobQuery.state(FAILED).name("send-webhook")).filter(wanted).forEach(job -> jobs.retry(job.id()));
     * }</pre>
     *
     * <p>A query for the state {@code FINISHED}, {@code FAILED} or {@code CANCELLED} returns only jobs that ended
     * before this call. All other queries return only jobs that were scheduled before this call.
     */
    Stream<Job> stream(JobQuery query);
}
