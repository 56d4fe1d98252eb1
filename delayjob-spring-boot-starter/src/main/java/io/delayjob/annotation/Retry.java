package io.delayjob.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Whether and when a failed attempt is made again. Either delays grow from {@link #delay} by {@link #multiplier} up to
 * {@link #maxDelay}, or {@link #gaps} lists them one by one; both together are refused. What is not stated is taken
 * from {@code delayjob.retry}.
 *
 * <p>Text attributes may hold <code>${…}</code> placeholders; durations are written as in {@link DelayedJob}.
 *
 * @see io.delayjob.schedule.RetryPolicy
 */
@Target({})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Retry {

    /** How many retries follow the first attempt; 0 for none. Default (-1): {@code delayjob.retry.max-retries}, 16. */
    int maxRetries() default -1;

    /** The delay before the first retry. Default: {@code delayjob.retry.delay}, 10 s. */
    String delay() default "";

    /**
     * By how much each delay is longer than the one before, at least 1. Default (0): {@code delayjob.retry.multiplier},
     * 2.
     */
    double multiplier() default 0;

    /** What no delay exceeds, jitter aside. Default: {@code delayjob.retry.max-delay}, 1 h. */
    String maxDelay() default "";

    /**
     * A random time between zero and this is added to each delay. Default: {@code delayjob.retry.jitter}, none; none
     * beside {@link #gaps}.
     */
    String jitter() default "";

    /** The delays one by one, and thereby how many retries there are. Default: none, they grow. */
    String[] gaps() default {};

    /** Retries only after these exceptions, or such as are caused by them. Default: after any. */
    Class<? extends Throwable>[] includes() default {};

    /** Does not retry after these exceptions, or such as are caused by them, even if included. Default: none. */
    Class<? extends Throwable>[] excludes() default {};
}
