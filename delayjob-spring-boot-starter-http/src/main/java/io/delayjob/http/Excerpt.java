package io.delayjob.http;

import io.delayjob.job.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the beginning of a response for a message, and masks secrets that the response repeats. Thread-safe. */
final class Excerpt {

    static final int MAX_BYTES = 1024;

    private static final int SHORTEST_SECRET = 6;
    private static final String MASK = "******";

    /** A decoder writes this character instead of an incomplete character. */
    private static final char BROKEN_CHARACTER = '\ufffd';

    private static final Comparator<Secret> LONGEST_FIRST =
            Comparator.comparing((Secret secret) -> secret.text().length()).reversed();

    private final List<Secret> secrets;

    /**
     * @param spellings matches the text, and the forms that JSON, URLs and HTML may give it: {@code a\/b},
     *     {@code a%2Fb}
     */
    private record Secret(String text, Pattern spellings) {

        static Secret of(String text) {
            StringBuilder spellings = new StringBuilder();
            text.chars().forEach(c -> spellings.append(spellings((char) c)));
            return new Secret(text, Pattern.compile(spellings.toString()));
        }

        private static String spellings(char c) {
            String plain = Pattern.quote(String.valueOf(c));
            return c >= 0x80 || Character.isLetterOrDigit(c)
                    ? plain
                    : "(?:\\\\?%1$s|(?i:\\\\u00%2$02x|%%%2$02x|&#x%2$02x;)|&#%2$d;)".formatted(plain, (int) c);
        }
    }

    /** @param secrets texts that must not appear in an excerpt; each word of a text is masked as well */
    Excerpt(Collection<String> secrets) {
        this.secrets = longestFirst(secrets.stream()
                .flatMap(secret -> Stream.concat(Stream.of(secret), Stream.of(secret.split("[\\s:,]+")))));
    }

    private static List<Secret> longestFirst(Stream<String> secrets) {
        return secrets.filter(secret -> secret.length() >= SHORTEST_SECRET)
                .distinct()
                .map(Secret::of)
                .sorted(LONGEST_FIRST)
                .toList();
    }

    /**
     * The rest of the body is not read, because it may be endless. If reading the body fails, the result is empty. Such
     * a failure is not an error, because the status is already known.
     *
     * @param sent further secrets, which only this call has sent
     */
    String read(InputStream body, Collection<String> sent) {
        byte[] bytes = new byte[MAX_BYTES];
        int length = 0;
        try (body) {
            length = body.readNBytes(bytes, 0, MAX_BYTES);
        } catch (IOException cut) {
            return "";
        }
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
        List<Secret> all = Stream.concat(secrets.stream(), longestFirst(sent.stream()).stream())
                .sorted(LONGEST_FIRST)
                .toList();
        for (Secret secret : all) {
            text = secret.spellings().matcher(text).replaceAll(MASK);
        }
        return Printable.of(length < MAX_BYTES ? text : withoutBrokenSecret(text, all));
    }

    /** The rest of the body was not read, so the text may end in the middle of a secret. */
    private static String withoutBrokenSecret(String text, List<Secret> secrets) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == BROKEN_CHARACTER) {
            end--;
        }
        String whole = text.substring(0, end);
        int masked = secrets.stream()
                .mapToInt(secret -> beginningAtTheEnd(whole, secret.text()))
                .max()
                .orElse(0);
        return masked == 0 ? text : whole.substring(0, end - masked) + MASK;
    }

    private static int beginningAtTheEnd(String text, String secret) {
        for (int length = Math.min(secret.length(), text.length()); length >= SHORTEST_SECRET; length--) {
            if (text.regionMatches(text.length() - length, secret, 0, length)) {
                return length;
            }
        }
        return 0;
    }

    @Override
    public String toString() {
        return "Excerpt[******]";
    }
}
