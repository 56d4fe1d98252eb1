package io.delayjob.job;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest lines that a handler has {@linkplain io.delayjob.handler.JobContext#log logged} in one attempt, for people
 * to read. Immutable.
 *
 * @param lines the lines, the oldest first; at most {@value #MAX_LINES}
 */
public record JobLog(int attempt, List<Line> lines) {

    /** Maximum number of lines. Each further line displaces the oldest line. */
    public static final int MAX_LINES = 8;

    /** Maximum length of all lines together, in bytes of UTF-8. */
    private static final int MAX_BYTES = 2_048;

    public JobLog {
        lines = List.copyOf(lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    }

    /**
     * One line.
     *
     * @param at the store time at which the line was logged, to the millisecond
     * @param message the text, cut to {@value #MAX_LENGTH} characters, with control characters as escapes
     */
    public record Line(Instant at, String message) {

        /** Maximum length of a message, in characters. */
        public static final int MAX_LENGTH = 160;

        public Line {
            at = at.truncatedTo(ChronoUnit.MILLIS);
            message = Printable.beginning(message, MAX_LENGTH);
        }

        private static Line parse(String text) {
            int space = Math.max(0, text.indexOf(' '));
            return new Line(Instant.ofEpochMilli(Long.parseLong(text.substring(0, space))), text.substring(space + 1));
        }

        private String toText() {
            return at.toEpochMilli() + " " + message;
        }
    }

    /** Returns a copy with one more line. */
    public JobLog with(Line line) {
        List<Line> more = new ArrayList<>(lines);
        more.add(line);
        return new JobLog(attempt, more);
    }

    /** Returns {@code null} if this version cannot read the text. */
    static @Nullable JobLog parse(String text) {
        try {
            List<String> parts = Arrays.asList(text.split("\n", -1));
            return new JobLog(
                    Integer.parseInt(parts.get(0)),
                    parts.stream().skip(1).map(Line::parse).toList());
        } catch (IllegalArgumentException ofAnotherVersion) {
            return null;
        }
    }

    String toText() {
        Deque<String> parts = new ArrayDeque<>();
        int bytes = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i).toText();
            bytes += line.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes > MAX_BYTES) {
                break;
            }
            parts.addFirst(line);
        }
        parts.addFirst(Integer.toString(attempt));
        return String.join("\n", parts);
    }
}
