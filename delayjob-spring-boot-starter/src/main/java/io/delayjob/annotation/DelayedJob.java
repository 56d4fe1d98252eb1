package io.delayjob.annotation;

import io.delayjob.handler.ConcurrencyScope;
import io.delayjob.handler.Delivery;
import io.delayjob.handler.Handler;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Turns a method of a bean into a handler. A handler runs the jobs that are stored under its name.
 *
 * <pre>{@code
 * @DelayedJob("cancel-unpaid-order")
 * void cancel(long orderId) { … }
 * @DelayedJob(name = "poll-tracking", retry = @Retry(gaps = {"10s", "1m", "1h"}), timeout = "30s", concurrency = 8)
 * Next poll(long orderId, JobContext job) { … }
 * @DelayedJob(name = "purge-carts", cron = "0 0 3 * * *", zone = "Europe/Berlin")
 * void purge() { … }
 * }</pre>
 *
 * <p>The method may have any visibility except {@code private}, and must not be {@code static}. Its arguments are
 * stored as JSON by parameter name, so the class must be compiled with {@code -parameters}. If you rename a parameter,
 * state its stored name with {@link JobArgument}. A {@link io.delayjob.handler.JobContext} parameter is optional, must
 * be the last parameter, and is not stored. The method returns nothing or a {@link io.delayjob.handler.Next}. It may
 * also return a {@link java.util.concurrent.CompletionStage} that completes with nothing or with a {@code Next}. The
 * engine calls the method through the proxy of the bean, so {@code
 * @Transactional} and similar annotations apply.
 *
 * <p>All text attributes may contain <code>${…}</code> placeholders. Durations are written {@code 500ms}, {@code 10s},
 * {@code 5m}, {@code 2h}, {@code 1d} or in ISO-8601 ({@code PT10S}). The annotation may be used as a meta-annotation.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerReflectiveProcessor.class)
public @interface DelayedJob {

    /** Alias for {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name under which the jobs of this handler are stored: 1 to {@value Handler#MAX_NAME_LENGTH} characters,
     * without control characters. Default: class and method, as in {@code UnpaidOrders.cancel}. Set a name, because the
     * default changes when the class or the method is renamed. Stored jobs find their handler by its name.
     */
    @AliasFor("value")
    String name() default "";

    /**
     * Names under which jobs of this handler were stored before it was renamed. The handler also runs these jobs.
     * Default: none.
     */
    String[] formerNames() default {};

    /** The queue of the handler's jobs. */
    String queue() default Handler.DEFAULT_QUEUE;

    /**
     * The store of the handler's jobs, in an application with several {@code delayjob.stores}. New jobs are written to
     * this store, and the handler runs only jobs of this store. Default: the handler runs jobs of all stores. A {@link
     * io.delayjob.spring.StoreSelector} chooses the store of each new job. Without a selector, new jobs go to the store
     * {@code default}.
     */
    String store() default "";

    /**
     * Maximum number of attempts of the handler at a time: 1 or more. The {@link #scope} says whether all instances
     * share the maximum. Default (0): as many as the handler's queue allows.
     */
    int concurrency() default 0;

    /**
     * Whether the {@link #concurrency} is the maximum for each instance or for the whole cluster. If the scope is
     * {@code CLUSTER}, the concurrency must be set.
     */
    ConcurrencyScope scope() default ConcurrencyScope.INSTANCE;

    /**
     * How many attempts may start in a period, such as {@code 100/s}, {@code 30/min}, {@code 5000/h} or {@code 10/d}.
     * This rate applies to all instances together. If the rate allows no further start, due jobs of this handler wait.
     * These jobs do not delay jobs of other handlers. Default: no limit.
     */
    String rate() default "";

    /**
     * How many attempts may start together after an idle time. These attempts are in addition to those that the {@link
     * #rate} allows. The number must be 1 or more. If you set it, you must also set a rate. Default (0): the number of
     * attempts that the rate allows in 100 ms, but at least 1.
     */
    int burst() default 0;

    /**
     * A SpEL expression over the arguments, such as {@code #customer.id} or {@code 'customer-' + #customerId}. Each
     * value has its own {@link #rate} and its own {@link #burst}. All instances share this rate and this burst. If jobs
     * with the same value are in two queues, each queue has its own rate for this value. The expression is evaluated
     * when the job is scheduled; see {@link io.delayjob.ScheduleSpec#rateKey}. Default: the rate applies to all jobs of
     * the handler together.
     */
    String rateBy() default "";

    /**
     * A SpEL expression over the arguments, such as {@code #account.id} or {@code 'account-' + #accountId}. In one
     * queue, two jobs with the same value never run at the same time. This rule also applies to jobs of different
     * handlers and on different instances. A job that waits for its mutex takes no slot. The expression is evaluated
     * when the job is scheduled; see {@link io.delayjob.ScheduleSpec#mutex}. Default: no mutex.
     */
    String mutex() default "";

    /**
     * A SpEL expression over the arguments, such as {@code #tenant}. The due jobs of this handler start in turns. One
     * job with one value starts, then one job with the next value, and so on. So a backlog of one tenant delays no
     * other tenant. All jobs with the value {@code null} count as one tenant. The expression is evaluated when the job
     * is scheduled; see {@link io.delayjob.ScheduleSpec#fairKey}. Default: jobs start in the order of their due times.
     */
    String fairBy() default "";

    /**
     * The priority of the handler, from 1 to {@value Handler#MAX_PRIORITY}. Priorities matter when due jobs compete for
     * the slots of a queue. A handler of priority 20 starts two jobs while a handler of priority 10 starts one job. For
     * urgent jobs, use a separate handler with a higher priority.
     */
    int priority() default Handler.DEFAULT_PRIORITY;

    /** Time after which an attempt is interrupted. Default: {@code delayjob.timeout}. */
    String timeout() default "";

    /**
     * Maximum time by which {@link io.delayjob.handler.Next#snooze} may postpone a run beyond its planned time. A
     * longer snooze counts as a failure. With {@code 0s}, every snooze fails. Default: {@code delayjob.max-snooze}.
     */
    String maxSnooze() default "";

    /**
     * Maximum time from the planned time of a run to the start of an attempt. If a job without repetition could not
     * start in time, it ends as {@link io.delayjob.job.JobState#CANCELLED} with the failure {@code Expired}. If such a
     * job had already been claimed for an earlier attempt, it ends as {@link io.delayjob.job.JobState#FAILED}. A
     * repeating job skips each run that could not start in time. But if an attempt of this run has already failed, the
     * run counts as failed instead of skipped. A job may {@linkplain io.delayjob.ScheduleSpec#expiresAfter state its
     * own expiry}. Default: runs do not expire.
     */
    String expiresAfter() default "";

    /**
     * How long finished jobs of this handler stay in the history, in whole seconds. With {@code 0s}, finished jobs are
     * not kept. The value does not apply to failed and cancelled jobs. Default: {@code delayjob.history.finished}.
     */
    String keepFor() default "";

    /** What happens to an attempt that was lost because its instance died. */
    Delivery delivery() default Delivery.AT_LEAST_ONCE;

    /**
     * Whether the method and the end of the job share one transaction in the database of the job tables. The method's
     * writes to this database take effect exactly once, even after a crash. An exception or a {@link #timeout} rolls
     * the transaction back, and the failed attempt is retried as usual. While the method runs, it holds a database
     * connection. The method must not return a {@link java.util.concurrent.CompletionStage}, and must not begin a
     * transaction of its own. Effects outside of this database may be repeated. Default: false.
     */
    boolean atomic() default false;

    /**
     * Whether and when a failed attempt is repeated. Default: the retry policy of the properties {@code
     * delayjob.retry}.
     */
    Retry retry() default @Retry;

    /**
     * Starts the handler once in the cluster at each time that matches this cron expression. The expression has six
     * fields, beginning with seconds, in the format of Spring's {@link
     * org.springframework.scheduling.support.CronExpression}. The method takes no parameter except a {@code
     * JobContext}. The job of the schedule has the key {@code @schedule}. If somebody cancels this job, the schedule
     * stops permanently. The value {@value org.springframework.scheduling.annotation.Scheduled#CRON_DISABLED} disables
     * the schedule. When an instance with this value starts, the job of the schedule ends. If an expression replaces
     * this value later, the next start writes a new job. Default: none.
     */
    String cron() default "";

    /** The time zone of {@link #cron}. Default: UTC. */
    String zone() default "";

    /**
     * Starts the handler like {@link #cron}, but with a fixed period between two due times. A hyphen as the value
     * ({@code "-"}) disables the schedule. Default: none.
     */
    String every() default "";
}
