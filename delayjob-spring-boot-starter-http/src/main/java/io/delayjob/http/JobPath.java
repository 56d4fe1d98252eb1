package io.delayjob.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.springframework.web.util.UriUtils;

/**
 * The path that a job states. The path is always below the URL of the target. Each segment is decoded, checked and
 * encoded again, so a server cannot read it as another path.
 */
final class JobPath {

    private static final int MAX_LENGTH = 2000;

    private JobPath() {}

    /** @throws IllegalArgumentException if the path is refused; the message says why, without the path */
    static String encoded(String path) {
        refuse(path.length() > MAX_LENGTH, "must have at most " + MAX_LENGTH + " characters");
        refuse(!path.startsWith("/"), "must begin with a slash, because it is put below the target's URL");
        StringBuilder encoded = new StringBuilder();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String segment = decoded(segments[i]);
            refuse(segment.isEmpty() && i < segments.length - 1, "must not hold an empty segment ('//')");
            check(segment);
            // A server may treat similar characters as the same, such as a full-width dot and a dot.
            check(Normalizer.normalize(segment, Normalizer.Form.NFKC));
            encoded.append('/').append(UriUtils.encodePathSegment(segment, StandardCharsets.UTF_8));
        }
        return encoded.toString();
    }

    private static String decoded(String segment) {
        refuse(segment.indexOf('?') >= 0 || segment.indexOf('#') >= 0, "must not hold a query or a fragment");
        byte[] bytes = new byte[segment.length() * 3];
        ByteBuffer decoded = ByteBuffer.wrap(bytes);
        for (int i = 0; i < segment.length(); ) {
            int c = segment.codePointAt(i);
            if (c == '%') {
                int high = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 1), 16) : -1;
                int low = i + 2 < segment.length() ? Character.digit(segment.charAt(i + 2), 16) : -1;
                refuse(
                        high < 0 || low < 0 || segment.charAt(i + 1) > 'f' || segment.charAt(i + 2) > 'f',
                        "must hold '%' only as the beginning of an encoded byte");
                decoded.put((byte) (high << 4 | low));
                i += 3;
            } else {
                refuse(Character.getType(c) == Character.SURROGATE, "must not hold half a character");
                decoded.put(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
        } catch (CharacterCodingException overlong) {
            throw refused("must be UTF-8");
        }
    }

    private static void check(String segment) {
        refuse(
                segment.chars().anyMatch(c -> "/\\%;".indexOf(c) >= 0),
                "must not hold an encoded slash, a backslash, a percent sign or a semicolon in a segment");
        refuse(
                !segment.isEmpty() && segment.codePoints().allMatch(c -> c == '.' || isBlank(c)),
                "must not hold a segment of dots, such as '..'");
        refuse(
                segment.codePoints().anyMatch(JobPath::isInvisible),
                "must not hold control characters or invisible characters");
    }

    private static boolean isBlank(int c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static void refuse(boolean refused, String rule) {
        if (refused) {
            throw refused(rule);
        }
    }

    private static IllegalArgumentException refused(String rule) {
        return new IllegalArgumentException("the path " + rule + ".");
    }
}
