package io.delayjob.job;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a job that most jobs do not have. A row keeps them in one text, with one attribute a line:
 *
 * <pre>
 * expires PT10M
 * result {"rows":4711}
 * </pre>
 *
 * A line has the attribute's name, a space and the value. A line break or backslash in a value is written as {@code \n},
 * {@code \r} or {@code \\}. Lines that this version does not know are kept as they are, so a job that a later version has
 * written loses nothing here. Immutable.
 */
public final class JobExtras {

    /** A job without such attributes. */
    public static final JobExtras NONE = new JobExtras(List.of());

    private static final String EXPIRES = "expires";
    private static final String RESULT = "result";
    private static final String RESULT_MISSING = "result-missing";

    private final List<String> lines;

    private JobExtras(List<String> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Reads the text of a row; {@code null} means none. */
    public static JobExtras parse(@Nullable String text) {
        return text == null || text.isEmpty() ? NONE : new JobExtras(Arrays.asList(text.split("\n", -1)));
    }

    /** Returns the text for a row; {@code null} if there are no attributes. */
    public @Nullable String toText() {
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    /**
     * Returns the time after the planned time of a run from which on no attempt of it starts; {@code null} if the job states
     * none.
     *
     * @throws IllegalArgumentException if the line cannot be read
     */
    public @Nullable Duration expiresAfter() {
        String value = first(EXPIRES);
        if (value == null) {
            return null;
        }
        try {
            return Duration.parse(value);
        } catch (DateTimeException notADuration) {
            throw new IllegalArgumentException(
                    "Invalid stored expiry '%s': must be a duration such as PT10M; cancel the job and schedule it again."
                            .formatted(Printable.of(value)),
                    notADuration);
        }
    }

    /** Returns the same attributes with this expiry. */
    public JobExtras withExpiresAfter(Duration expiresAfter) {
        return with(EXPIRES, List.of(expiresAfter.toString()));
    }

    /** Returns the result of a finished job, as its handler's payload codec wrote it; {@code null} for none. */
    public @Nullable String result() {
        return first(RESULT);
    }

    /** Returns why the result of a finished job was not kept; {@code null} if it was kept, or if there is none. */
    public @Nullable String resultMissing() {
        return first(RESULT_MISSING);
    }

    /** Returns the same attributes with this result. */
    public JobExtras withResult(String result) {
        return withoutResult().with(RESULT, List.of(result));
    }

    /** Returns the same attributes with the reason why the result was not kept. */
    public JobExtras withResultMissing(String reason) {
        return withoutResult().with(RESULT_MISSING, List.of(reason));
    }

    /** Returns the attributes that the job had when it was scheduled. */
    public JobExtras withoutResult() {
        return with(RESULT, List.of()).with(RESULT_MISSING, List.of());
    }

    private @Nullable String first(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.get(0);
    }

    private List<String> values(String name) {
        String start = name + " ";
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> unescaped(line.substring(start.length())))
                .toList();
    }

    private JobExtras with(String name, List<String> values) {
        String start = name + " ";
        List<String> changed =
                lines.stream().filter(line -> !line.startsWith(start)).collect(Collectors.toCollection(ArrayList::new));
        values.forEach(value -> changed.add(start + escaped(value)));
        Collections.sort(changed);
        return new JobExtras(changed);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String unescaped(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\\' || i + 1 == value.length()) {
                text.append(c);
                continue;
            }
            i++;
            char code = value.charAt(i);
            text.append(code == 'n' ? '\n' : code == 'r' ? '\r' : code);
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobExtras extras && lines.equals(extras.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    @Override
    public String toString() {
        return "JobExtras" + lines;
    }
}
