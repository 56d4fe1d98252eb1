package io.delayjob.target;

import io.delayjob.handler.ConcurrencyScope;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The targets. A target is a handler that is configured in properties instead of written in Java.
 *
 * @param targets Targets, by name. A target has the same kinds of rules as a handler. It also has one group of
 *     properties for its kind, such as http.
 */
@ConfigurationProperties("delayjob")
public record TargetProperties(@DefaultValue Map<String, Rules> targets) {

    /**
     * The rules of one target.
     *
     * @param concurrency Maximum number of simultaneous calls to the target. Default: as many as the queue allows.
     * @param scope Whether the concurrency applies to each instance (instance), or to all instances together (cluster).
     *     Default: instance.
     * @param timeout How long an attempt may take before it is interrupted. Default: delayjob.timeout.
     * @param keepFor How long finished jobs of the target stay in the history, in whole seconds. Default:
     *     delayjob.history.finished.
     * @param queue Queue of the target's jobs. Default: "default".
     * @param priority Priority of the target, from 1 to 100. Priorities matter when due jobs compete for the slots of a
     *     queue. With twice the priority, a target starts twice as many calls. Default: 10.
     * @param rate How many calls may start in a period, on all instances together. Examples: 100/s, 30/min, 5000/h,
     *     10/d. Default: no limit.
     * @param burst How many calls may start together after an idle time. These calls are in addition to those that the
     *     rate allows. Default: the number of calls that the rate allows in 100 ms, but at least 1.
     * @param rateBy Name of an argument, such as path or headers.X-Customer. The rate applies to each value of this
     *     argument separately. Default: the rate applies to all calls together.
     * @param mutex Name of an argument, such as path or headers.X-Customer. Calls with the same value of this argument
     *     run one at a time, over all instances. Default: calls do not wait for each other.
     * @param fairBy Name of an argument, such as path or headers.X-Customer. Calls with different values of this
     *     argument take turns. Default: calls start in the order of their due times.
     * @param expiresAfter Maximum time from the planned time of a call to the start of an attempt. Default: no limit.
     * @param retry Retry policy of the target. Values that are not set here come from delayjob.retry.
     */
    public record Rules(
            @Nullable Integer concurrency,
            @Nullable ConcurrencyScope scope,
            @Nullable Duration timeout,
            @Nullable Duration keepFor,
            @Nullable String queue,
            @Nullable Integer priority,
            @Nullable String rate,
            @Nullable Integer burst,
            @Nullable String rateBy,
            @Nullable String mutex,
            @Nullable String fairBy,
            @Nullable Duration expiresAfter,
            @DefaultValue Retry retry) {}

    /**
     * The retry policy of one target.
     *
     * @param maxRetries Maximum number of retries after the first attempt.
     * @param delay Delay before the first retry.
     * @param multiplier Factor from one delay to the next, at least 1.
     * @param maxDelay Maximum delay, without jitter.
     * @param jitter Maximum random time that is added to each delay.
     */
    public record Retry(
            @Nullable Integer maxRetries,
            @Nullable Duration delay,
            @Nullable Double multiplier,
            @Nullable Duration maxDelay,
            @Nullable Duration jitter) {}
}
