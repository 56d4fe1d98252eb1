package io.delayjob.target;

import io.delayjob.handler.Handler;
import io.delayjob.handler.RateLimit;
import io.delayjob.schedule.RetryPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates a handler for each target that is configured or declared as a bean. A target must have exactly one kind. Used
 * at start, on one thread.
 */
public final class TargetHandlers {

    private final ConfiguredTargets configured;
    private final Map<String, TargetProperties.Rules> rules;
    private final RetryPolicy defaultRetry;
    private final Collection<TargetKind<?>> kinds;
    private final Collection<Target> beans;

    /**
     * @param configured the targets below {@code delayjob.targets}
     * @param rules the rules of targets, by name
     * @param defaultRetry source of the values that the retry policy of a target leaves out
     * @param kinds the kinds of targets that modules contribute
     * @param beans the targets that the application implements itself
     */
    public TargetHandlers(
            ConfiguredTargets configured,
            Map<String, TargetProperties.Rules> rules,
            RetryPolicy defaultRetry,
            Collection<TargetKind<?>> kinds,
            Collection<Target> beans) {
        this.configured = configured;
        this.rules = rules;
        this.defaultRetry = defaultRetry;
        this.kinds = kinds;
        this.beans = beans;
    }

    /**
     * Returns the handlers of all targets.
     *
     * @throws InvalidTargetException if a target is configured wrongly
     */
    public List<Handler> handlers() {
        Map<String, Target> unread = new LinkedHashMap<>();
        for (Target bean : beans) {
            if (unread.put(bean.name(), bean) != null) {
                throw new InvalidTargetException(
                        "Two beans of type Target have the name '%s'.".formatted(bean.name()),
                        "Give one of the two targets another name.");
            }
        }
        List<Handler> handlers = new ArrayList<>();
        for (ConfiguredTargets.Entry entry : configured.entries()) {
            handlers.add(handler(entry, unread.remove(entry.name())));
        }
        unread.forEach((name, bean) -> handlers.add(checked(name, "", bean::handler)));
        return handlers;
    }

    private Handler handler(ConfiguredTargets.Entry entry, @Nullable Target bean) {
        entry.checkKeys(kinds);
        List<TargetKind<?>> its = kinds.stream().filter(entry::has).toList();
        int count = its.size() + (bean == null ? 0 : 1);
        if (count == 0) {
            throw new InvalidTargetException(
                    "Target '%s' has rules, but no kind: no property says where the target sends its messages."
                            .formatted(entry.name()),
                    kinds.isEmpty()
                            ? "Declare a bean of type Target with that name, or add a module such as delayjob-spring-boot-starter-http."
                            : "Set %s, or declare a bean of type Target with that name."
                                    .formatted(String.join(" or ", entry.keys(kinds))));
        }
        if (count > 1) {
            throw new InvalidTargetException(
                    "Target '%s' has more than one kind: %s%s."
                            .formatted(
                                    entry.name(),
                                    String.join(" and ", entry.keys(its)),
                                    bean == null ? "" : " and a bean of type Target"),
                    "Keep one of these kinds, and give the other target another name.");
        }
        return bean == null ? handler(entry, its.get(0)) : checked(entry.name(), "", bean::handler);
    }

    private <P> Handler handler(ConfiguredTargets.Entry entry, TargetKind<P> kind) {
        P properties = entry.bind(kind);
        return checked(entry.name(), "." + kind.name(), its -> kind.handler(entry.name(), properties, its));
    }

    private Handler checked(String name, String group, Function<Handler.Builder, Handler> made) {
        String key = "delayjob.targets." + name;
        Handler.Builder builder = refusing(key, () -> builder(name));
        return refusing(key + group, () -> bound(made.apply(builder)));
    }

    private static Handler bound(Handler handler) {
        Stream.of(handler.rateBy(), handler.mutex(), handler.fairBy())
                .filter(ArgumentKey.class::isInstance)
                .map(ArgumentKey.class::cast)
                .forEach(key -> key.bind(handler.name(), handler.parameters()));
        return handler;
    }

    private static <T> T refusing(String key, java.util.function.Supplier<T> step) {
        try {
            return step.get();
        } catch (IllegalArgumentException refused) {
            throw new InvalidTargetException(
                    String.valueOf(refused.getMessage()),
                    "Correct %s in the application's configuration.".formatted(key),
                    refused);
        }
    }

    private Handler.Builder builder(String name) {
        TargetProperties.Rules its = rules.get(name);
        Handler.Builder builder = Handler.named(name);
        if (its == null) {
            return builder.retry(defaultRetry.excludes(RefusedByTargetException.class));
        }
        if (its.concurrency() != null) {
            builder.concurrency(its.concurrency());
        }
        if (its.scope() != null) {
            builder.scope(its.scope());
        }
        if (its.queue() != null) {
            builder.queue(its.queue());
        }
        if (its.priority() != null) {
            builder.priority(its.priority());
        }
        return builder.rate(RateLimit.of(its.rate(), its.burst()))
                .rateBy(ArgumentKey.of("rate-by", its.rateBy()))
                .mutex(ArgumentKey.of("mutex", its.mutex()))
                .fairBy(ArgumentKey.of("fair-by", its.fairBy()))
                .expiresAfter(its.expiresAfter())
                .timeout(its.timeout())
                .keepFor(its.keepFor())
                .retry(policy(its.retry()).excludes(RefusedByTargetException.class));
    }

    private RetryPolicy policy(TargetProperties.Retry retry) {
        RetryPolicy policy = defaultRetry;
        if (retry.maxRetries() != null) {
            policy = policy.maxRetries(retry.maxRetries());
        }
        if (retry.multiplier() != null) {
            policy = policy.multiplier(retry.multiplier());
        }
        if (retry.delay() != null) {
            policy = policy.delay(retry.delay());
        }
        if (retry.maxDelay() != null) {
            policy = policy.maxDelay(retry.maxDelay());
        }
        return retry.jitter() == null ? policy : policy.jitter(retry.jitter());
    }
}
