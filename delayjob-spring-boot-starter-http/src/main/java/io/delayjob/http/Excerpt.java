package io.delayjob.http;

import io.delayjob.job.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Reads the beginning of a response for a message, and masks the secrets that the response repeats. Thread-safe. */
final class Excerpt {

    /** Maximum number of bytes that are read of a response. */
    static final int MAX_BYTES = 1024;

    private static final int SHORTEST_SECRET = 6;
    private static final String MASK = "******";

    /** The character that a decoder writes for an incomplete character. */
    private static final char BROKEN_CHARACTER = '\ufffd';

    private final List<String> secrets;

    /** @param secrets texts that must not appear; their words are masked as well */
    Excerpt(Collection<String> secrets) {
        this.secrets = longestFirst(secrets.stream()
                .flatMap(secret -> Stream.concat(Stream.of(secret), Stream.of(secret.split("[\\s:,]+")))));
    }

    private static List<String> longestFirst(Stream<String> secrets) {
        return secrets.filter(secret -> secret.length() >= SHORTEST_SECRET)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    /**
     * Returns the beginning of the body, and closes the body without reading the rest, which may be endless. A body
     * that breaks off is no error, because the status has already been received.
     *
     * @param sent secrets of this call only, which must not appear either
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
        List<String> all = longestFirst(Stream.concat(secrets.stream(), sent.stream()));
        for (String secret : all) {
            text = text.replace(secret, MASK);
        }
        return Printable.of(length < MAX_BYTES ? text : withoutBrokenSecret(text, all));
    }

    /** Masks a secret that begins at the end of the text and whose rest was not read. */
    private static String withoutBrokenSecret(String text, List<String> secrets) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == BROKEN_CHARACTER) {
            end--;
        }
        String whole = text.substring(0, end);
        int masked = secrets.stream()
                .mapToInt(secret -> beginningAtTheEnd(whole, secret))
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

    /** Returns nothing of it. */
    @Override
    public String toString() {
        return "Excerpt[******]";
    }
}
