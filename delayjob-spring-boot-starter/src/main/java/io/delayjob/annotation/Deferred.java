package io.delayjob.annotation;

import io.delayjob.handler.Handler;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Turns calls of a method into durable, delayed jobs. A call stores a job in the caller's transaction, and returns
 * immediately. After the delay, the job calls the method.
 *
 * <pre>{@code
 * @Deferred(name = "send-webhook", value = "5s", key = "#hook.url")
 * public void send(Hook hook) { … }
 * }</pre>
 *
 * <p>The call must go through the proxy of the bean, so it must come from another bean. The method must not be {@code
 * private}, {@code static} or {@code final}. It must return nothing or a {@link io.delayjob.handler.Next}. The caller
 * always gets {@code null}. All other rules of {@link DelayedJob} apply, too.
 *
 * <p>Spring Security checks the caller when the job is stored, not when the job runs. All other interceptors, such as
 * those of {@code @Transactional} and {@code @Retryable}, apply only to the attempts of the job.
 *
 * <p>All text attributes may contain <code>${…}</code> placeholders. The annotation may be used as a meta-annotation.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerReflectiveProcessor.class)
public @interface Deferred {

    /** Alias for {@link #delay}. */
    @AliasFor("delay")
    String value() default "";

    /** Time from the call to the due time of the job, such as {@code 5s}. Default: no delay. */
    @AliasFor("value")
    String delay() default "";

    /**
     * The name under which the jobs of this method are stored. Default: class and method, as in {@code Webhooks.send}.
     */
    String name() default "";

    /** Names under which the jobs of this method were stored before the method was renamed. Default: none. */
    String[] formerNames() default {};

    /**
     * A SpEL expression over the arguments, such as {@code #hook.url}. While an unfinished job has the same key,
     * further calls add no job. Default: every call stores a job.
     */
    String key() default "";

    /** A SpEL expression over the arguments; see {@link DelayedJob#mutex()}. Default: no mutex. */
    String mutex() default "";

    /**
     * A SpEL expression over the arguments, such as {@code #tenant}; see {@link DelayedJob#fairBy()}. Default: jobs
     * start in the order of their due times.
     */
    String fairBy() default "";

    /** The queue of its jobs. */
    String queue() default Handler.DEFAULT_QUEUE;

    /** The store of the jobs, in an application with several stores; see {@link DelayedJob#store()}. */
    String store() default "";

    /**
     * Maximum time from the planned time to the actual start of the call; see {@link DelayedJob#expiresAfter()}.
     * Default: no limit.
     */
    String expiresAfter() default "";

    /**
     * How long finished calls stay in the history; see {@link DelayedJob#keepFor()}. Default: {@code
     * delayjob.history.finished}.
     */
    String keepFor() default "";

    /**
     * Whether the method runs in the same transaction as the end of the job; see {@link DelayedJob#atomic()}. Default:
     * false.
     */
    boolean atomic() default false;

    /** Whether and when a failed attempt is repeated. Default: as set by {@code delayjob.retry}. */
    Retry retry() default @Retry;
}
