package io.delayjob.event;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Allows one log line for each subject in a period of time, and counts the suppressed lines. The throttle remembers a
 * limited number of subjects. If it has forgotten a subject, it may allow a line before the period is over.
 * Thread-safe.
 */
public final class LogThrottle {

    private static final long PERIOD_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int MAX_SUBJECTS = 1_000;

    private final Map<String, Subject> subjects = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.@Nullable Entry<String, Subject> eldest) {
            return size() > MAX_SUBJECTS;
        }
    };

    /**
     * Tells whether a line about this subject may be logged now.
     *
     * @return number of lines suppressed since the last logged line; empty if this line must be suppressed, too
     */
    public synchronized OptionalInt admit(String subject, long nowNanos) {
        Subject known = subjects.get(subject);
        if (known != null && nowNanos - known.sinceNanos < PERIOD_NANOS) {
            known.heldBack++;
            return OptionalInt.empty();
        }
        subjects.put(subject, new Subject(nowNanos));
        return OptionalInt.of(known == null ? 0 : known.heldBack);
    }

    /**
     * Returns a text with the number of suppressed lines, for a log message. The text is empty if no line was
     * suppressed.
     */
    public static String withOthers(int heldBack) {
        return heldBack == 0 ? "" : " (like %d other jobs of that name before)".formatted(heldBack);
    }

    /** Like {@link #withOthers}, but for lines about jobs of different names. */
    public static String withEarlierFailures(int heldBack) {
        return heldBack == 0 ? "" : " (like %d earlier failures)".formatted(heldBack);
    }

    private static final class Subject {
        private final long sinceNanos;
        private int heldBack;

        Subject(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
