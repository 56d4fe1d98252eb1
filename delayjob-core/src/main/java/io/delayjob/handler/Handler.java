package io.delayjob.handler;

import io.delayjob.job.Printable;
import io.delayjob.schedule.RetryPolicy;
import io.delayjob.schedule.Stated;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A handler and its settings; immutable. Create a handler with {@link #named(String)}.
 *
 * @param name the name under which the handler's jobs are stored. It must not be blank and must not contain control
 *     characters. The maximum length is {@value #MAX_NAME_LENGTH} characters
 * @param formerNames names under which the handler's jobs were stored before a rename
 * @param queue the queue of the handler's jobs; see {@link #checkQueue}
 * @param parameters the arguments that are stored with a job
 * @param method the Java method of this handler, to which a method reference can refer; {@code null} if there is none
 * @param retry the retry policy; {@code null} means the engine's default
 * @param atomic whether the handler is {@linkplain Builder#atomic called in a transaction} of the job store's database
 * @param timeout an attempt is interrupted after this time; {@code null} means the engine's default
 * @param maxSnooze maximum delay by {@linkplain Next#snooze snoozes}, counted from the planned time of a run. Zero
 *     allows no snooze; {@code null} means the engine's default
 * @param expiresAfter maximum time from the planned time of a run to the start of an attempt. With {@code null}, runs
 *     do not expire. A job may state its own maximum
 * @param keepFor how long finished jobs stay in the history, in whole seconds. Zero means that they leave no row;
 *     {@code null} means the engine's default
 * @param priority the handler's weight if due jobs of several handlers compete in a queue, 1 to {@value #MAX_PRIORITY}.
 *     A handler with twice the priority starts twice as many attempts
 * @param concurrency maximum number of attempts at a time, within the {@code scope}; {@link Integer#MAX_VALUE} means no
 *     limit
 * @param scope whether {@code concurrency} applies to each queue of each instance separately, or to all queues of all
 *     instances together
 * @param rate the maximum number of starts in a period, on all instances and in all queues. Due jobs beyond this number
 *     wait in the store; {@code null} means no limit
 * @param rateBy the rate key of each job, unless the scheduling call states a rate key; {@code null} means no rate key
 * @param mutex the mutex of each job, unless the scheduling call states a mutex; {@code null} means no mutex
 * @param fairBy the fair key of each job, unless the scheduling call states a fair key; {@code null} means no fair key
 * @param body the code that an attempt calls
 */
public record Handler(
        String name,
        Set<String> formerNames,
        String queue,
        List<PayloadParameter> parameters,
        @Nullable HandlerMethod method,
        @Nullable RetryPolicy retry,
        Delivery delivery,
        boolean atomic,
        @Nullable Duration timeout,
        @Nullable Duration maxSnooze,
        @Nullable Duration expiresAfter,
        @Nullable Duration keepFor,
        int priority,
        int concurrency,
        ConcurrencyScope scope,
        @Nullable RateLimit rate,
        @Nullable KeyRule rateBy,
        @Nullable KeyRule mutex,
        @Nullable KeyRule fairBy,
        JobHandler body) {

    /** Maximum length of a handler's name, in characters. */
    public static final int MAX_NAME_LENGTH = 100;

    /** Maximum length of a queue's name, in characters. */
    public static final int MAX_QUEUE_LENGTH = 40;

    public static final int DEFAULT_PRIORITY = 10;

    public static final int MAX_PRIORITY = 100;

    public static final String DEFAULT_QUEUE = "default";

    private static final Duration SHORTEST_EXPIRY = Duration.ofMillis(1);
    private static final Duration LONGEST_EXPIRY = Duration.ofDays(36_500);

    /** Maximum of {@code keepFor}, because stores keep this time as a number of seconds in 32 bits. */
    private static final Duration LONGEST_KEPT = Duration.ofDays(24_855);

    public Handler {
        checkName(name);
        Stated.notNull(formerNames, "set of former names", "must hold the former names; use an empty set for none");
        formerNames.forEach(Handler::checkName);
        checkQueue(queue);
        Stated.notNull(
                parameters,
                "list of parameters",
                "must hold one parameter for each argument; use an empty list for none");
        parameters.forEach(parameter -> Stated.notNull(parameter, "parameter", "must name an argument and its type"));
        Stated.notNull(delivery, "delivery", "must be AT_LEAST_ONCE or AT_MOST_ONCE");
        Stated.notNull(body, "body", "must be the code to call");
        if (concurrency < 1) {
            throw new IllegalArgumentException(
                    "Invalid concurrency %d of handler '%s': must be 1 or more. To switch its queue off on this instance, set delayjob.queues.%s.enabled=false."
                            .formatted(concurrency, name, queue));
        }
        Stated.notNull(scope, "scope", "must be INSTANCE or CLUSTER");
        if (scope == ConcurrencyScope.CLUSTER && concurrency == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Invalid scope CLUSTER of handler '%s': must come with a concurrency, the maximum number of attempts at a time on all instances. State a concurrency, or remove the scope."
                            .formatted(name));
        }
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException(
                    "Invalid timeout %s of handler '%s': must be longer than zero.".formatted(timeout, name));
        }
        if (priority < 1 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException(
                    "Invalid priority %d of handler '%s': must be from 1 to %d; the default is %d."
                            .formatted(priority, name, MAX_PRIORITY, DEFAULT_PRIORITY));
        }
        if (maxSnooze != null && maxSnooze.isNegative()) {
            throw new IllegalArgumentException(
                    "Invalid maxSnooze %s of handler '%s': must be zero or more; zero makes every snooze a failure."
                            .formatted(maxSnooze, name));
        }
        RateLimit.checkBy(rateBy, rate, name);
        if (expiresAfter != null) {
            checkExpiresAfter(expiresAfter, "of handler '" + name + "'");
        }
        keepFor = keepFor == null ? null : checkKeepFor(keepFor, name);
        formerNames = Set.copyOf(formerNames);
        parameters = List.copyOf(parameters);
        PayloadParameter.checkDistinct(name, parameters);
    }

    private static Duration checkKeepFor(Duration keepFor, String handler) {
        if (keepFor.isNegative() || keepFor.compareTo(LONGEST_KEPT) > 0 || keepFor.getNano() != 0) {
            throw new IllegalArgumentException(
                    "Invalid keepFor %s of handler '%s': must be whole seconds, from zero to %d days; with zero, finished jobs leave no row."
                            .formatted(keepFor, handler, LONGEST_KEPT.toDays()));
        }
        return keepFor;
    }

    /** Returns all names under which jobs of this handler may be stored: the present name and the former names. */
    public Set<String> names() {
        return Stream.concat(Stream.of(name), formerNames.stream()).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Starts to build a handler. By default, the handler has the queue {@value #DEFAULT_QUEUE}, the delivery {@code
     * AT_LEAST_ONCE} and no limits.
     */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Returns a copy of this handler with another body, such as a wrapper of the present body. */
    public Handler withBody(JobHandler other) {
        return new Handler(
                name,
                formerNames,
                queue,
                parameters,
                method,
                retry,
                delivery,
                atomic,
                timeout,
                maxSnooze,
                expiresAfter,
                keepFor,
                priority,
                concurrency,
                scope,
                rate,
                rateBy,
                mutex,
                fairBy,
                other);
    }

    /** Checks a handler name by the rules of this version. */
    public static String checkName(String name) {
        return Printable.check("job name", checkStoredName(name));
    }

    /**
     * Checks a handler name by the rules for stored rows. These rules allow control characters, because older versions
     * allowed them.
     */
    public static String checkStoredName(String name) {
        Stated.notNull(name, "job name", "must be the name of a handler");
        if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException(
                    "Invalid job name '%s' (%d characters): must have 1 to %d characters and not be blank."
                            .formatted(Printable.of(name), name.length(), MAX_NAME_LENGTH));
        }
        return name;
    }

    /**
     * Checks a queue name. A queue name has 1 to {@value #MAX_QUEUE_LENGTH} characters: letters, digits, hyphens,
     * underscores or dots.
     */
    public static String checkQueue(String queue) {
        Stated.notNull(queue, "queue", "must be the name of a queue, such as '" + DEFAULT_QUEUE + "'");
        if (!queue.matches("[A-Za-z0-9_.-]{1," + MAX_QUEUE_LENGTH + "}")) {
            throw new IllegalArgumentException(
                    "Invalid queue '%s' (%d characters): must be 1 to %d letters, digits, '-', '_' or '.'."
                            .formatted(Printable.of(queue), queue.length(), MAX_QUEUE_LENGTH));
        }
        return queue;
    }

    /**
     * Checks an expiry time.
     *
     * @param whose the words of the message that name the owner of the expiry time, such as {@code of handler 'a'}
     */
    public static Duration checkExpiresAfter(Duration expiresAfter, String whose) {
        Stated.notNull(expiresAfter, "expiresAfter " + whose, "must be 1 ms or more; leave it out for no expiry");
        if (expiresAfter.compareTo(SHORTEST_EXPIRY) < 0 || expiresAfter.compareTo(LONGEST_EXPIRY) > 0) {
            throw new IllegalArgumentException(
                    "Invalid expiresAfter %s %s: must be from 1 ms to %d days; leave it out for no expiry."
                            .formatted(expiresAfter, whose, LONGEST_EXPIRY.toDays()));
        }
        return expiresAfter;
    }

    /** Builds a handler. A builder is not thread-safe. */
    public static final class Builder {

        private final String name;
        private Set<String> formerNames = Set.of();
        private String queue = DEFAULT_QUEUE;
        private List<PayloadParameter> parameters = List.of();
        private @Nullable HandlerMethod method;
        private @Nullable RetryPolicy retry;
        private Delivery delivery = Delivery.AT_LEAST_ONCE;
        private boolean atomic;
        private @Nullable Duration timeout;
        private @Nullable Duration maxSnooze;
        private @Nullable Duration expiresAfter;
        private @Nullable Duration keepFor;
        private int priority = DEFAULT_PRIORITY;
        private int concurrency = Integer.MAX_VALUE;
        private ConcurrencyScope scope = ConcurrencyScope.INSTANCE;
        private @Nullable RateLimit rate;
        private @Nullable KeyRule rateBy;
        private @Nullable KeyRule mutex;
        private @Nullable KeyRule fairBy;

        private Builder(String name) {
            this.name = name;
        }

        public Builder formerNames(Set<String> formerNames) {
            this.formerNames = formerNames;
            return this;
        }

        public Builder queue(String queue) {
            this.queue = queue;
            return this;
        }

        public Builder parameters(PayloadParameter... parameters) {
            return parameters(List.of(parameters));
        }

        public Builder parameters(List<PayloadParameter> parameters) {
            this.parameters = parameters;
            return this;
        }

        public Builder method(@Nullable HandlerMethod method) {
            this.method = method;
            return this;
        }

        public Builder retry(@Nullable RetryPolicy retry) {
            this.retry = retry;
            return this;
        }

        public Builder delivery(Delivery delivery) {
            this.delivery = delivery;
            return this;
        }

        /**
         * Sets whether the handler is called in a transaction of the job store's database. The last statement of that
         * transaction writes the outcome of the attempt. So the handler's own writes to that database take effect
         * exactly once. The handler must not return a {@code CompletionStage}. The handler holds a connection while it
         * runs. An engine with an atomic handler does not start if its store has no transactions. The default is {@code
         * false}.
         */
        public Builder atomic(boolean atomic) {
            this.atomic = atomic;
            return this;
        }

        public Builder timeout(@Nullable Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        public Builder maxSnooze(@Nullable Duration maxSnooze) {
            this.maxSnooze = maxSnooze;
            return this;
        }

        public Builder expiresAfter(@Nullable Duration expiresAfter) {
            this.expiresAfter = expiresAfter;
            return this;
        }

        public Builder keepFor(@Nullable Duration keepFor) {
            this.keepFor = keepFor;
            return this;
        }

        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        public Builder concurrency(int concurrency) {
            this.concurrency = concurrency;
            return this;
        }

        public Builder scope(ConcurrencyScope scope) {
            this.scope = scope;
            return this;
        }

        public Builder rate(@Nullable RateLimit rate) {
            this.rate = rate;
            return this;
        }

        /** Sets the rate key of each job. The {@link #rate} applies to each key separately. */
        public Builder rateBy(@Nullable KeyRule rateBy) {
            this.rateBy = rateBy;
            return this;
        }

        /**
         * Sets the mutex of each job. If jobs of a queue have the same mutex, they do not run at the same time. This
         * rule also applies to jobs of different handlers and on different instances. For the exceptions, see {@code
         * ScheduleSpec.mutex}.
         */
        public Builder mutex(@Nullable KeyRule mutex) {
            this.mutex = mutex;
            return this;
        }

        /** Sets the fair key of each job; jobs with different fair keys start alternately. */
        public Builder fairBy(@Nullable KeyRule fairBy) {
            this.fairBy = fairBy;
            return this;
        }

        /** Sets the code that an attempt calls, and returns the finished handler. */
        public Handler calls(JobHandler body) {
            return new Handler(
                    name,
                    formerNames,
                    queue,
                    parameters,
                    method,
                    retry,
                    delivery,
                    atomic,
                    timeout,
                    maxSnooze,
                    expiresAfter,
                    keepFor,
                    priority,
                    concurrency,
                    scope,
                    rate,
                    rateBy,
                    mutex,
                    fairBy,
                    body);
        }
    }
}
