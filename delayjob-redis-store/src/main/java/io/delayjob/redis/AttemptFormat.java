package io.delayjob.redis;

import io.delayjob.job.AttemptRecord;
import io.delayjob.job.Failure;
import io.delayjob.job.JobId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts lines of the attempt log. Later versions can add texts to the end of a line. */
final class AttemptFormat {

    private AttemptFormat() {}

    static byte[] line(AttemptRecord attempt) {
        Failure failure = attempt.failure();
        return Bytes.packed(Arrays.asList(
                Integer.toString(attempt.run()),
                Integer.toString(attempt.attempt()),
                attempt.outcome(),
                Long.toString(attempt.owner()),
                millis(attempt.dueAt()),
                millis(attempt.startedAt()),
                millis(attempt.calledAt()),
                millis(attempt.endedAt()),
                failure == null ? null : failure.type(),
                failure == null ? null : failure.message(),
                failure == null ? null : failure.stackTrace()));
    }

    static AttemptRecord attempt(JobId id, byte[] line) {
        List<@Nullable String> texts = Bytes.unpacked(line);
        String errorType = texts.get(8);
        return new AttemptRecord(
                id,
                Integer.parseInt(texts.get(0)),
                Integer.parseInt(texts.get(1)),
                Objects.requireNonNull(texts.get(2)),
                Long.parseLong(texts.get(3)),
                time(texts.get(4)),
                time(texts.get(5)),
                time(texts.get(6)),
                Objects.requireNonNull(time(texts.get(7))),
                errorType == null ? null : new Failure(errorType, texts.get(9), texts.get(10)));
    }

    private static @Nullable String millis(@Nullable Instant time) {
        return time == null ? null : Long.toString(time.toEpochMilli());
    }

    private static @Nullable Instant time(@Nullable String millis) {
        return millis == null ? null : Instant.ofEpochMilli(Long.parseLong(millis));
    }
}
