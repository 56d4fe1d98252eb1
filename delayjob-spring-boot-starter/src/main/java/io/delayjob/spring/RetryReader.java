package io.delayjob.spring;

import io.delayjob.annotation.Retry;
import io.delayjob.schedule.DurationText;
import io.delayjob.schedule.RetryPolicy;
import java.util.Optional;

/** Creates a retry policy from {@link Retry}, on top of the application's default policy. */
final class RetryReader {

    private final Attributes attributes;
    private final RetryPolicy defaults;

    RetryReader(Attributes attributes, RetryPolicy defaults) {
        this.attributes = attributes;
        this.defaults = defaults;
    }

    /** Returns an empty result if the annotation states no attribute. */
    Optional<RetryPolicy> read(Retry retry) {
        boolean listed = retry.gaps().length > 0;
        boolean grows = isGrowthStated(retry);
        if (listed && grows) {
            throw new IllegalArgumentException(
                    "@Retry has gaps together with delay, multiplier, maxDelay or maxRetries. Gaps "
                            + "already set every delay and the number of retries. Remove the gaps or the other "
                            + "attributes.");
        }
        boolean selects = retry.includes().length > 0 || retry.excludes().length > 0;
        if (!listed && !grows && !selects && attributes.text(retry.jitter()).isEmpty()) {
            return Optional.empty();
        }
        RetryPolicy policy = listed ? listed(retry) : grown(retry);
        return Optional.of(attributes
                .duration(retry.jitter())
                .map(policy::jitter)
                .orElse(policy)
                .includes(retry.includes())
                .excludes(retry.excludes()));
    }

    private boolean isGrowthStated(Retry retry) {
        return retry.maxRetries() != -1
                || retry.multiplier() != 0
                || attributes.text(retry.delay()).isPresent()
                || attributes.text(retry.maxDelay()).isPresent();
    }

    private RetryPolicy listed(Retry retry) {
        return RetryPolicy.gaps(
                attributes.texts(retry.gaps()).stream().map(DurationText::parse).toList());
    }

    private RetryPolicy grown(Retry retry) {
        RetryPolicy policy = defaults;
        if (retry.maxRetries() != -1) {
            policy = policy.maxRetries(retry.maxRetries());
        }
        if (retry.multiplier() != 0) {
            policy = policy.multiplier(retry.multiplier());
        }
        policy = attributes.duration(retry.delay()).map(policy::delay).orElse(policy);
        return attributes.duration(retry.maxDelay()).map(policy::maxDelay).orElse(policy);
    }
}
