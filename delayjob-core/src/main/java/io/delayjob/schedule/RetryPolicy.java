package io.delayjob.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says whether, how often and when a failed run is tried again. Delays count from the failure. A retry of one run does
 * not change the planned times of later runs.
 *
 * <p>A growing delay is {@code delay * multiplier^(retry - 1)}, but at most {@code maxDelay}, and never shorter than
 * {@code delay}. The methods {@code maxRetries}, {@code delay}, {@code multiplier} and {@code maxDelay} set growing
 * delays. These four methods throw an {@link IllegalStateException} if the policy {@linkplain #gaps lists} its delays.
 * Each listed delay stands for one retry. Jitter is added to all delays.
 *
 * <p>Policies are immutable; methods return changed copies. The text of a policy leaves out the exception types, which
 * belong to the handler. Two policies with different exception types are not equal.
 */
public final class RetryPolicy {

    private static final int DEFAULT_MAX_RETRIES = 16;
    private static final Growth DEFAULT_GROWTH = new Growth(Duration.ofSeconds(10), 2, Duration.ofHours(1));
    private static final RetryPolicy DEFAULTS = new RetryPolicy(new Grown(DEFAULT_MAX_RETRIES, DEFAULT_GROWTH));
    private static final RetryPolicy NONE = new RetryPolicy(new Listed(List.of()));

    /** Maximum number of causes that are checked, because an exception may be its own cause. */
    private static final int MAX_CAUSES = 100;

    private final Delays delays;
    private final Duration jitter;
    private final List<Class<? extends Throwable>> includes;
    private final List<Class<? extends Throwable>> excludes;

    private RetryPolicy(Delays delays) {
        this(delays, Duration.ZERO, List.of(), List.of());
    }

    private RetryPolicy(
            Delays delays,
            Duration jitter,
            List<Class<? extends Throwable>> includes,
            List<Class<? extends Throwable>> excludes) {
        this.delays = delays;
        this.jitter = jitter;
        this.includes = includes;
        this.excludes = excludes;
        if (toText().length() > Schedule.MAX_TEXT_LENGTH) {
            throw new IllegalArgumentException("Invalid retry policy (" + toText().length()
                    + " characters as text): must be at most " + Schedule.MAX_TEXT_LENGTH + "; state fewer gaps");
        }
    }

    /**
     * Returns a policy that retries after any exception, up to 16 times. The first delay is 10 s, and each further
     * delay is twice as long, up to 1 h. There is no jitter.
     */
    public static RetryPolicy defaults() {
        return DEFAULTS;
    }

    /** Returns a policy without retries, so the first failure is final. */
    public static RetryPolicy none() {
        return NONE;
    }

    /**
     * Returns a policy with one retry for each of these gaps. Each gap is the time from a failure to the next retry.
     */
    public static RetryPolicy gaps(Duration first, Duration... more) {
        return gaps(Spans.list(first, more));
    }

    /**
     * Returns a policy with one retry for each of these gaps. Each gap is the time from a failure to the next retry.
     * The list must not be empty.
     */
    public static RetryPolicy gaps(List<Duration> gaps) {
        return new RetryPolicy(new Listed(Spans.allPositive("gap", gaps)));
    }

    /** Sets the number of retries after the first attempt; 0 or more. The default is 16. */
    public RetryPolicy maxRetries(int maxRetries) {
        return with(new Grown(maxRetries, grown("maxRetries").growth()));
    }

    /** Sets the delay before the first retry. The default is 10 s. */
    public RetryPolicy delay(Duration delay) {
        Growth growth = grown("delay").growth();
        return with(new Growth(Spans.positive("delay", delay), growth.factor(), growth.limit()));
    }

    /** Sets the factor by which each delay is multiplied for the next delay; at least 1. The default is 2. */
    public RetryPolicy multiplier(double multiplier) {
        Growth growth = grown("multiplier").growth();
        return with(new Growth(growth.first(), Growth.checkFactor("multiplier", multiplier), growth.limit()));
    }

    /**
     * Sets the maximum delay; jitter is added to it. If the first delay is longer than {@code maxDelay}, every delay
     * has the length of the first delay. The default is 1 h.
     */
    public RetryPolicy maxDelay(Duration maxDelay) {
        Growth growth = grown("maxDelay").growth();
        return with(new Growth(growth.first(), growth.factor(), Spans.positive("maxDelay", maxDelay)));
    }

    /** Adds a random time between zero and this duration to each delay, so that jobs do not retry together. */
    public RetryPolicy jitter(Duration jitter) {
        return new RetryPolicy(delays, Spans.notNegative("jitter", jitter), includes, excludes);
    }

    /**
     * Retries only after exceptions of these types, and of the types from earlier calls. The causes of an exception are
     * also checked. By default, every exception leads to a retry.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RetryPolicy includes(Class<? extends Throwable>... types) {
        return new RetryPolicy(delays, jitter, union(includes, types), excludes);
    }

    /**
     * Excludes exceptions of these types. Types from earlier calls stay excluded. After an excluded exception, there is
     * no retry, even if the exception matches {@code includes}. The causes of an exception are also checked. By
     * default, no exception is excluded.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final RetryPolicy excludes(Class<? extends Throwable>... types) {
        return new RetryPolicy(delays, jitter, includes, union(excludes, types));
    }

    /** Returns the number of retries after the first attempt. */
    public int maxRetries() {
        return delays.count();
    }

    /**
     * Returns the delay from a failure to the next attempt, including jitter; empty if there are no more retries.
     *
     * @param retry the number of the retry, counted from 1
     */
    public Optional<Duration> delayBefore(int retry, RandomGenerator random) {
        if (retry < 1) {
            throw new IllegalArgumentException("Invalid retry (" + retry + "): retries are counted from 1");
        }
        if (retry > delays.count()) {
            return Optional.empty();
        }
        long drawn = jitter.isZero() ? 0 : random.nextLong(jitter.toMillis() + 1);
        return Optional.of(Duration.ofMillis(delays.millis(retry) + drawn));
    }

    /**
     * Tells whether the exception types of {@link #includes} and {@link #excludes} allow a retry after this failure.
     */
    public boolean retries(Throwable failure) {
        return !isAny(failure, excludes) && (includes.isEmpty() || isAny(failure, includes));
    }

    /**
     * Returns the text of the policy, without exception types, for example {@code growing:PT10S*2<=PT1H;retries=16}.
     */
    public String toText() {
        return delays.toText() + (jitter.isZero() ? "" : ";jitter=" + jitter);
    }

    /**
     * Reads the text of {@link #toText()}.
     *
     * @throws IllegalArgumentException if the text is not a policy; the message says which part is wrong
     */
    public static RetryPolicy parse(String text) {
        Stated.notNull(text, "retry policy", "must be the text of a policy, such as none");
        try {
            StoredText stored = StoredText.split(text);
            RetryPolicy policy = new RetryPolicy(delays(stored))
                    .jitter(stored.take("jitter", DurationText::parse).orElse(Duration.ZERO));
            stored.refuseRemaining("jitter, and retries if the delays grow");
            return policy;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Invalid retry policy '" + text + "': " + e.getMessage(), e);
        }
    }

    private static Delays delays(StoredText stored) {
        return switch (stored.kind()) {
            case "none" -> new Listed(List.of());
            case "gaps" -> new Listed(Spans.allPositive("gap", StoredText.durations(stored.body())));
            case "growing" ->
                new Grown(
                        stored.take("retries", StoredText::integer)
                                .orElseThrow(() -> new IllegalArgumentException(
                                        "it must have a number of retries, such as retries=16")),
                        Growth.parse(stored.body()));
            default ->
                throw new IllegalArgumentException(
                        "'" + stored.kind() + "' is not a kind of retry policy: must be none, gaps: or growing:");
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RetryPolicy policy
                && delays.equals(policy.delays)
                && jitter.equals(policy.jitter)
                && includes.equals(policy.includes)
                && excludes.equals(policy.excludes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(delays, jitter, includes, excludes);
    }

    @Override
    public String toString() {
        return toText() + names(" includes ", includes) + names(" excludes ", excludes);
    }

    private RetryPolicy with(Growth growth) {
        return with(new Grown(delays.count(), growth));
    }

    private RetryPolicy with(Delays changed) {
        return new RetryPolicy(changed, jitter, includes, excludes);
    }

    private Grown grown(String property) {
        if (delays instanceof Grown grown) {
            return grown;
        }
        throw new IllegalStateException("Invalid " + property + " on retry policy '" + toText()
                + "': its list of gaps already sets the number of retries and every delay; leave out " + property
                + ", or begin with RetryPolicy.defaults()");
    }

    private static List<Class<? extends Throwable>> union(
            List<Class<? extends Throwable>> known, Class<? extends Throwable>[] added) {
        Stated.notNull(added, "exception types", "must be classes of exceptions; leave them out for none");
        for (Class<? extends Throwable> type : added) {
            Stated.notNull(type, "exception type", "must be a class of exceptions");
        }
        return Stream.concat(known.stream(), Stream.of(added)).distinct().toList();
    }

    private static boolean isAny(Throwable failure, List<Class<? extends Throwable>> types) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .anyMatch(cause -> types.stream().anyMatch(type -> type.isInstance(cause)));
    }

    private static String names(String label, List<Class<? extends Throwable>> types) {
        return types.isEmpty() ? "" : types.stream().map(Class::getName).collect(Collectors.joining(", ", label, ""));
    }

    private sealed interface Delays {
        int count();

        long millis(int retry);

        String toText();
    }

    private record Grown(int count, Growth growth) implements Delays {

        private Grown {
            if (count < 0) {
                throw new IllegalArgumentException(
                        "Invalid maxRetries (" + count + "): must not be negative; state 0 for no retry");
            }
        }

        @Override
        public long millis(int retry) {
            return growth.gap(retry);
        }

        @Override
        public String toText() {
            return "growing:" + growth.toText() + ";retries=" + count;
        }
    }

    private record Listed(List<Duration> gaps) implements Delays {
        @Override
        public int count() {
            return gaps.size();
        }

        @Override
        public long millis(int retry) {
            return gaps.get(retry - 1).toMillis();
        }

        @Override
        public String toText() {
            return gaps.isEmpty()
                    ? "none"
                    : gaps.stream().map(Duration::toString).collect(Collectors.joining(",", "gaps:", ""));
        }
    }
}
