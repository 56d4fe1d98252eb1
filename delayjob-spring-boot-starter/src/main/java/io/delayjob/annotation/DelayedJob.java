package io.delayjob.annotation;

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
 * Makes a method of a bean a handler: jobs stored under its name are run by it.
 *
 * <pre>{@code
 * @DelayedJob("cancel-unpaid-order")
 * void cancel(long orderId) { … }
 *
 * @DelayedJob(name = "poll-tracking", retry = @Retry(gaps = {"10s", "1m", "1h"}), timeout = "30s", concurrency = 8)
 * Next poll(long orderId, JobContext job) { … }
 *
 * @DelayedJob(name = "purge-carts", cron = "0 0 3 * * *", zone = "Europe/Berlin")
 * void purge() { … }
 * }</pre>
 *
 * <p>The method may have any visibility but {@code private}, and must not be {@code static}. Its parameters are stored
 * as JSON by parameter name, so the class must be compiled with {@code -parameters} (Spring Boot's build plugins do
 * so); {@link JobArgument} keeps the stored name of one that is renamed. A {@link io.delayjob.handler.JobContext}, if
 * wanted, comes last and is not stored. It returns nothing, a {@link
 * io.delayjob.handler.Next}, or a {@link java.util.concurrent.CompletionStage} of either. It is called through the
 * bean's proxy, so that {@code @Transactional} and the like hold.
 *
 * <p>All text attributes may hold <code>${…}</code> placeholders. Durations are written {@code 500ms}, {@code 10s},
 * {@code 5m}, {@code 2h}, {@code 1d} or in ISO-8601 ({@code PT10S}). May be used as a meta-annotation.
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
     * The name its jobs are stored under, 1 to {@value Handler#MAX_NAME_LENGTH} characters, no control characters.
     * Default: class and method, as in {@code UnpaidOrders.cancel}. State a name, because stored jobs find their
     * handler by it.
     */
    @AliasFor("value")
    String name() default "";

    /** Names its jobs were stored under before a rename: they still find their way here. Default: none. */
    String[] formerNames() default {};

    /** The queue its jobs go to. */
    String queue() default Handler.DEFAULT_QUEUE;

    /** Attempts at a time on this instance, 1 or more. Default (0): as many as its queue allows. */
    int concurrency() default 0;

    /**
     * Its share of its queue's slots, from 1 to {@value Handler#MAX_PRIORITY}, wherever jobs of several handlers are
     * due and compete for them: a handler of priority 20 starts two for each one of priority 10. So nobody starves,
     * however many jobs of higher priority come due; and where there are slots enough, priorities mean nothing. An
     * attempt that runs is never pushed out: to keep slots free of a handler that takes its time, state its {@link
     * #concurrency}, or give it a queue of its own. All jobs of a handler have its priority; for urgent ones, have
     * another handler.
     */
    int priority() default Handler.DEFAULT_PRIORITY;

    /** How long an attempt may take before it is interrupted. Default: {@code delayjob.timeout}. */
    String timeout() default "";

    /**
     * For how long after its planned time a run may be put off by {@link io.delayjob.handler.Next#snooze}; past it a
     * snooze counts as a failure. {@code 0s}: every one does. Default: {@code delayjob.max-snooze}.
     */
    String maxSnooze() default "";

    /** What happens to an attempt that was lost with its instance. */
    Delivery delivery() default Delivery.AT_LEAST_ONCE;

    /**
     * Whether the method is called in a transaction on the job tables' database, begun through their transaction
     * manager, whose last statement says that the job is done: what it writes there with {@code JdbcTemplate}, JPA or
     * {@code @Transactional} happens exactly once, whatever dies when. An exception rolls it back, and the attempt is
     * retried as any other; so does a {@link #timeout}. It holds a connection while it runs, returns no {@link
     * java.util.concurrent.CompletionStage}, and has no transaction of its own beside it. Effects elsewhere are
     * repeated as ever. Default: it begins what transactions it likes, and may repeat what it wrote just before its
     * process died.
     */
    boolean atomic() default false;

    /** Whether and when a failed attempt is made again. Default: as {@code delayjob.retry} says. */
    Retry retry() default @Retry;

    /**
     * Has the handler start by itself, once in the cluster at each match of this expression of Spring's {@link
     * org.springframework.scheduling.support.CronExpression} (six fields, beginning with seconds). The method then
     * takes nothing but a {@code JobContext}. Its job has the key {@code @schedule}; cancelling that job stops it for
     * good. {@value org.springframework.scheduling.annotation.Scheduled#CRON_DISABLED} switches it off, also as the
     * default of a placeholder: the job is withdrawn when an instance starts. Default: it does not.
     */
    String cron() default "";

    /** The time zone of {@link #cron}. Default: UTC, for the zones of instances may differ. */
    String zone() default "";

    /**
     * As {@link #cron}, by a period: a duration, counted from due time to due time. {@code -} switches it off, too.
     * Default: it does not.
     */
    String every() default "";
}
