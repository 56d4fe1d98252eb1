package io.delayjob.internal.complete;

import io.delayjob.event.LogThrottle;
import io.delayjob.job.ChainStep;
import io.delayjob.job.Job;
import io.delayjob.job.JobExtras;
import io.delayjob.job.StorableText;
import io.delayjob.time.EngineClock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the results of handlers into the column {@code extras} of their jobs. If a result cannot be stored, the job
 * does not fail, because the work of the job is done. Thread-safe.
 */
final class Results {

    private static final Logger log = LoggerFactory.getLogger(Results.class);

    static final int MAX_BYTES = 16_384;

    private final Function<Object, @Nullable String> codec;
    private final BiFunction<ChainStep, Object, ChainStep> toArgument;
    private final EngineClock clock;
    private final LogThrottle missing = new LogThrottle();

    /**
     * @param codec encodes a result; may throw any exception
     * @param toArgument may throw any exception
     */
    Results(
            Function<Object, @Nullable String> codec,
            BiFunction<ChainStep, Object, ChainStep> toArgument,
            EngineClock clock) {
        this.codec = codec;
        this.toArgument = toArgument;
        this.clock = clock;
    }

    Job keptWith(Job job, Object result) {
        JobExtras extras = job.extras();
        try {
            String text = codec.apply(result);
            String refusal = text == null ? "the payload codec wrote nothing" : refusal(text);
            if (text != null && refusal == null) {
                JobExtras kept = passedOn(extras, result).withResult(text);
                return job.with(job.task().withExtras(kept.toText()));
            }
            return without(job, extras, String.valueOf(refusal));
        } catch (RuntimeException | Error unwritable) {
            return without(job, extras, "the result cannot be written: " + unwritable.getMessage());
        }
    }

    private JobExtras passedOn(JobExtras extras, Object result) {
        List<ChainStep> steps = extras.steps();
        return steps.isEmpty() || steps.get(0).resultName() == null
                ? extras
                : extras.withFirstStep(toArgument.apply(steps.get(0), result));
    }

    private static @Nullable String refusal(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            return "the result has %d bytes, but at most %d are allowed; store the data elsewhere and return its id"
                    .formatted(bytes, MAX_BYTES);
        }
        boolean isRefused = IntStream.range(0, text.length()).anyMatch(index -> StorableText.isRefused(text, index));
        return isRefused ? "the result has a character that databases refuse" : null;
    }

    private Job without(Job job, JobExtras extras, String reason) {
        missing.admit(job.name(), clock.nanoTime())
                .ifPresent(before -> log.warn(
                        "Job {} ({}) succeeded, but its result is not stored{}. The reason: {}",
                        job.id(),
                        job.name(),
                        LogThrottle.withOthers(before),
                        reason));
        String stored = reason.length() > 200 ? reason.substring(0, 200) + "\u2026" : reason;
        return job.with(job.task().withExtras(extras.withResultMissing(stored).toText()));
    }
}
