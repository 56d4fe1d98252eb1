package io.delayjob.job;

import java.util.OptionalInt;

/**
 * Names and keys as a log line and a message may show them. Handlers and calls of this version refuse control
 * characters in both, but rows of older versions may hold some.
 */
public final class Printable {

    private Printable() {}

    /** The text with its control characters and line separators written as escapes, such as {@code \u000A}. */
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

    /** The index of the first character that could end or rewrite a log line. */
    public static OptionalInt firstControl(String text) {
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
