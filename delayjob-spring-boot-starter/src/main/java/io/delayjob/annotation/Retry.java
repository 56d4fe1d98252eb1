package io.delayjob.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States whether and when a failed attempt is repeated. Either delays grow from {@link #delay} by {@link #multiplier}
 * up to {@link #maxDelay}, or {@link #gaps} lists each delay. Gaps cannot be combined with these three attributes or
 * with {@link #maxRetries}. Attributes that are not stated have the values of {@code delayjob.retry}.
 *
 * @see io.delayjob.schedule.RetryPolicy
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Retry {

    /**
     * Maximum number of retries after the first attempt; 0 for none. Default (-1): {@code delayjob.retry.max-retries},
     * 16.
     */
    int maxRetries() default -1;

    /** The delay before the first retry. Default: {@code delayjob.retry.delay}, 10 s. */
    String delay() default "";

    /**
     * Factor from one delay to the next, at least 1. Default (0): {@code delayjob.retry.multiplier}, 2.
     */
    double multiplier() default 0;

    /** Maximum delay, without jitter. Default: {@code delayjob.retry.max-delay}, 1 h. */
    String maxDelay() default "";

    /**
     * Maximum random time that is added to each delay. Default: {@code delayjob.retry.jitter}, 0 s; with {@link #gaps}
     * always 0 s.
     */
    String jitter() default "";

    /** The list of delays, which also sets the number of retries. Default: none; delays grow. */
    String[] gaps() default {};

    /**
     * If an attempt fails with one of these exceptions, or with one of them as a cause, it is retried. Default: all
     * exceptions.
     */
    Class<? extends Throwable>[] includes() default {};

    /**
     * Exceptions after which an attempt is not retried, even if {@link #includes} lists them. An exception that is
     * caused by one of them counts, too. Default: none.
     */
    Class<? extends Throwable>[] excludes() default {};
}
