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
     * Maximum number of retries after the first attempt; 0 means no retries. Default (-1): the value of {@code
     * delayjob.retry.max-retries}, or 16 if that property is not set.
     */
    int maxRetries() default -1;

    /**
     * The delay before the first retry. Default: the value of {@code delayjob.retry.delay}, or 10 s if that property is
     * not set.
     */
    String delay() default "";

    /**
     * Factor from one delay to the next, at least 1. Default (0): the value of {@code delayjob.retry.multiplier}, or 2
     * if that property is not set.
     */
    double multiplier() default 0;

    /**
     * Maximum delay before jitter is added. Default: the value of {@code delayjob.retry.max-delay}, or 1 h if that
     * property is not set.
     */
    String maxDelay() default "";

    /**
     * Maximum random time that is added to each delay. With {@link #gaps}, the default is 0 s. Without {@code gaps},
     * the default is the value of {@code delayjob.retry.jitter}, or 0 s if that property is not set.
     */
    String jitter() default "";

    /** The list of delays, which also sets the number of retries. By default, there is no list, and the delays grow. */
    String[] gaps() default {};

    /**
     * Exceptions after which an attempt is retried. The attempt is also retried if one of these exceptions is a cause
     * of the thrown exception. Default: all exceptions.
     */
    Class<? extends Throwable>[] includes() default {};

    /**
     * Exceptions after which an attempt is not retried. This list takes precedence over the list in the attribute
     * {@link #includes}. The attempt is also not retried if one of these exceptions is a cause of the thrown exception.
     * Default: none.
     */
    Class<? extends Throwable>[] excludes() default {};
}
