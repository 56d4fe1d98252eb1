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
 * Makes calls of a method durable and late: calling it stores a job, in the caller's transaction, and returns at once;
 * the job calls the method when its delay has passed.
 *
 * <pre>{@code
 * @Deferred(name = "send-webhook", value = "5s", key = "#hook.url")
 * public void send(Hook hook) { … }
 * }</pre>
 *
 * <p>The call must pass through the bean's proxy: it comes from another bean, and the method is neither {@code
 * private}, {@code static} nor {@code final}. It returns nothing, or a {@link io.delayjob.handler.Next}, which is the
 * job's and not the caller's: callers get {@code null}. All else is as with {@link DelayedJob}. The annotated method
 * can be named in {@code jobs.schedule(Webhooks::send)}, too.
 *
 * <p>Other interceptors of the method, such as those of {@code @Transactional} or {@code @Retryable}, are around each
 * attempt of the job. Only Spring Security's are around the call: whoever may not call the method stores nothing, and
 * the job, which has nobody logged in, is not asked.
 *
 * <p>All text attributes may hold <code>${…}</code> placeholders. May be used as a meta-annotation.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(HandlerReflectiveProcessor.class)
public @interface Deferred {

    /** Alias for {@link #delay}. */
    @AliasFor("delay")
    String value() default "";

    /** How long after the call the job is due: a duration such as {@code 5s}. Default: at once. */
    @AliasFor("value")
    String delay() default "";

    /** The name its jobs are stored under. Default: class and method, as in {@code Webhooks.send}; better state one. */
    String name() default "";

    /** Names its jobs were stored under before a rename. Default: none. */
    String[] formerNames() default {};

    /**
     * A SpEL expression over the arguments, such as {@code #hook.url}: while there is an unfinished job of the same
     * key, further calls add none. Default: every call stores a job.
     */
    String key() default "";

    /** The queue its jobs go to. */
    String queue() default Handler.DEFAULT_QUEUE;

    /**
     * Whether the deferred call is made in a transaction on the job tables' database whose last statement says that it
     * is done, so that what it writes there happens exactly once; see {@link DelayedJob#atomic()}. Default: it is not.
     */
    boolean atomic() default false;

    /** Whether and when a failed attempt is made again. Default: as {@code delayjob.retry} says. */
    Retry retry() default @Retry;
}
