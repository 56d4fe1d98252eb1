package io.delayjob.spring;

import io.delayjob.DelayJobOperations;
import io.delayjob.ScheduleSpec;
import io.delayjob.handler.PayloadParameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The job that a call of a deferred method schedules.
 *
 * @param delay time from the call to the due time
 * @param key expression for the key of the job; {@code null} for no key
 */
record Deferral(
        String name,
        String queue,
        List<PayloadParameter> parameters,
        Duration delay,
        @Nullable ArgumentExpression key) {

    void schedule(DelayJobOperations operations, @Nullable Object[] arguments) {
        ScheduleSpec spec = operations
                .schedule(name)
                .with(Arrays.asList(arguments).subList(0, parameters.size()))
                .queue(queue);
        keyed(spec, arguments).after(delay);
    }

    private ScheduleSpec keyed(ScheduleSpec spec, @Nullable Object[] arguments) {
        if (key == null) {
            return spec;
        }
        Object value = key.valueFor(arguments);
        if (value == null) {
            throw new IllegalArgumentException(
                    "Invalid key of job '%s': the expression %s is null for this call; correct the expression or the arguments, so that it identifies the call."
                            .formatted(name, key));
        }
        return spec.key(value);
    }
}
