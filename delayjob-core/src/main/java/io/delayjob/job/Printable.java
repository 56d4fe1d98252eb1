package io.delayjob.job;

import java.util.Collection;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Makes names, keys and notes safe to show in log lines, messages and pages. Rows of older versions may contain control
 * characters.
 */
public final class Printable {

    private Printable() {}

    /** Returns the text with control characters and line separators as escapes, such as {@code \u000A}. */
    public static String of(String text) {
        if (firstControl(text).isEmpty()) {
            return text;
        }
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            printable.append(isControl(c) ? "\\u%04X".formatted((int) c) : c);
        }
        return printable.toString();
    }

    /**
     * Returns the beginning of a text, in a form that people can read and that every store can keep. Control characters
     * become escapes. An unpaired surrogate becomes U+FFFD. The cut does not split a surrogate pair.
     *
     * @param maxLength maximum number of characters, escapes included
     */
    public static String beginning(String text, int maxLength) {
        // One more character tells whether the cut would split a pair.
        String begun = text.substring(0, Math.min(text.length(), maxLength + 1));
        StringBuilder whole = new StringBuilder(begun.length());
        for (int i = 0; i < begun.length(); i++) {
            whole.append(SurrogatePairs.isHalf(begun, i) ? '\uFFFD' : begun.charAt(i));
        }
        return Shortened.head(of(whole.toString()), maxLength);
    }

    /**
     * Returns a list of the texts in alphabetical order, such as {@code [a, b]}. The method {@link #of(String)} escapes
     * each text.
     */
    public static String of(Collection<String> texts) {
        return texts.stream().sorted().map(Printable::of).collect(Collectors.joining(", ", "[", "]"));
    }

    /**
     * Returns the text if it has no control characters and no line separators.
     *
     * @param what the name of the text, such as {@code key}
     * @throws IllegalArgumentException if the text has a control character or a line separator; the message shows the
     *     character as an escape
     */
    public static String check(String what, String text) {
        firstControl(text).ifPresent(index -> {
            throw new IllegalArgumentException(
                    "Invalid %s '%s': must not contain the control character U+%04X (at index %d), which could forge lines of a log; remove it."
                            .formatted(what, of(text), (int) text.charAt(index), index));
        });
        return text;
    }

    private static OptionalInt firstControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isControl(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }
}
