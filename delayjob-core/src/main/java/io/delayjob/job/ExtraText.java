package io.delayjob.job;

import java.util.stream.IntStream;

final class ExtraText {

    private ExtraText() {}

    static String check(String what, String text, int maxLength, String example) {
        if (text.isBlank() || text.length() > maxLength) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s' (%d characters): must have 1 to %d characters and not be blank; use a short text such as %s."
                            .formatted(
                                    what,
                                    Printable.of(text.substring(0, Math.min(text.length(), 2 * maxLength))),
                                    text.length(),
                                    maxLength,
                                    example));
        }
        if (IntStream.range(0, text.length()).anyMatch(index -> StorableText.isRefused(text, index))) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s': must not contain U+0000 or half a character, which databases refuse; remove it."
                            .formatted(what, Printable.of(text)));
        }
        return Printable.check(what, text);
    }

    static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    static String unescaped(String value) {
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
}
