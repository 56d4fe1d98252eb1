package io.delayjob.redis;

import io.delayjob.job.SurrogatePairs;
import io.delayjob.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts bytes to texts and back. In a <em>string of bytes</em>, each character stands for one byte. Such strings can
 * be compared, and can be kept in maps.
 */
final class Bytes {

    private static final int NO_TEXT = -1;

    private Bytes() {}

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    static byte[] of(String bytes) {
        return bytes.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** @throws StoreException if the text contains half a surrogate pair */
    static byte[] utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (SurrogatePairs.isHalf(text, i)) {
                throw StoreException.refused(
                        "Invalid text '%s': must not hold half a surrogate pair, because UTF-8 cannot store it."
                                .formatted(text));
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String fromUtf8(byte[] bytes) {
        return fromUtf8(bytes, 0, bytes.length);
    }

    static String fromUtf8(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    static byte[] packed(List<@Nullable String> texts) {
        List<byte[]> parts = new ArrayList<>();
        int length = 0;
        for (String text : texts) {
            byte[] part = text == null ? new byte[0] : utf8(text);
            parts.add(part);
            length += Integer.BYTES + part.length;
        }
        ByteBuffer packed = ByteBuffer.allocate(length);
        for (int i = 0; i < parts.size(); i++) {
            packed.putInt(texts.get(i) == null ? NO_TEXT : parts.get(i).length).put(parts.get(i));
        }
        return packed.array();
    }

    static List<@Nullable String> unpacked(byte[] packed) {
        ByteBuffer rest = ByteBuffer.wrap(packed);
        List<@Nullable String> texts = new ArrayList<>();
        while (rest.hasRemaining()) {
            int length = rest.getInt();
            if (length == NO_TEXT) {
                texts.add(null);
            } else {
                byte[] part = new byte[length];
                rest.get(part);
                texts.add(fromUtf8(part));
            }
        }
        return texts;
    }
}
