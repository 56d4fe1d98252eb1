package io.delayjob.internal.jdbc.dialect;

import io.delayjob.job.JobState;
import java.util.Locale;

/**
 * The stored number of a {@link JobState}. A number never changes its meaning. No row contains {@link #AWAITING}. Some
 * statements return it for a row that awaits an answer.
 */
public enum StoredState {
    DELAYED(0, JobState.DELAYED),
    RUNNING(1, JobState.RUNNING),
    FINISHED(2, JobState.FINISHED),
    FAILED(3, JobState.FAILED),
    CANCELLED(4, JobState.CANCELLED),
    AWAITING(5, JobState.AWAITING);

    private static final StoredState[] BY_CODE = values();

    private final int code;
    private final JobState state;

    StoredState(int code, JobState state) {
        this.code = code;
        this.state = state;
    }

    /** Returns the state that {@code code} means in the tables. */
    public static JobState stateOf(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException(
                    "Invalid state %d in the job tables: must be from 0 to %d. A newer version of delayjob may have written that state, so update this instance."
                            .formatted(code, BY_CODE.length - 1));
        }
        return BY_CODE[code].state;
    }

    /** Returns the number that stands for {@code state} in the tables. */
    public static int codeOf(JobState state) {
        return switch (state) {
            case DELAYED, READY -> DELAYED.code;
            case RUNNING -> RUNNING.code;
            case FINISHED -> FINISHED.code;
            case FAILED -> FAILED.code;
            case CANCELLED -> CANCELLED.code;
            case AWAITING -> AWAITING.code;
        };
    }

    String placeholder() {
        return "{" + name().toLowerCase(Locale.ROOT) + "}";
    }

    int code() {
        return code;
    }
}
