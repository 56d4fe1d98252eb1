package io.delayjob.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States whether and when a failed attempt is repeated. The delays begin with {@link #delay}, and grow by the factor
 * {@link #multiplier} up to {@link #maxDelay}. Instead of these values, you can list each delay in the attribute {@link
 * #gaps}. Such a list cannot be combined with a delay, multiplier, maximum delay or {@link #maxRetries}. Attributes
 * that are not stated have the values of {@code delayjob.retry}.
 *
 * @see io.delayjob.schedule.RetryPolicy
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Retry {

    /**
     * Maximum number of retries after the first attempt; 0 means no retries. Default (-1): {@code
     * delayjob.retry.max-retries}, which is 16 by default.
     */
    int maxRetries() default -1;

    /** The delay before the first retry. Default: {@code delayjob.retry.delay}, which is 10 s by default. */
    String delay() default "";

    /**
     * Factor from one delay to the next, at least 1. Default (0): {@code delayjob.retry.multiplier}, which is 2 by
     * default.
     */
    double multiplier() default 0;

    /** Maximum delay before jitter is added. Default: {@code delayjob.retry.max-delay}, which is 1 h by default. */
    String maxDelay() default "";

    /**
     * Maximum random time that is added to each delay. Default without {@link #gaps}: {@code delayjob.retry.jitter},
     * which is 0 s by default. Default with {@code gaps}: 0 s.
     */
    String jitter() default "";

    /** The list of delays, which also sets the number of retries. By default, there is no list, and the delays grow. */
    String[] gaps() default {};

    /**
     * If an attempt fails with one of these exceptions, or with one of them as a cause, it is retried. Default: all
     * exceptions.
     */
    Class<? extends Throwable>[] includes() default {};

    /**
     * Exceptions after which an attempt is not retried. This list takes precedence over the list in the attribute
     * {@link #includes}. The attempt is also not retried if one of these exceptions is a cause of the thrown exception.
     * Default: none.
     */
    Class<? extends Throwable>[] excludes() default {};
}
