package io.delayjob.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The author, the time and the reason of a pause. Control characters are escaped, and long texts are cut.
 *
 * @param since time of the pause, in store time
 * @param by the person or instance that made the pause; at most {@value #MAX_BY} characters; {@code null} if unknown
 * @param reason the reason, at most {@value #MAX_REASON} characters; {@code null} if not stated
 */
public record PauseNote(
        Instant since, @Nullable String by, @Nullable String reason) {

    /** Maximum number of characters in {@link #by()}. */
    public static final int MAX_BY = 255;

    /** Maximum number of characters in {@link #reason()}. */
    public static final int MAX_REASON = 500;

    public PauseNote {
        by = storable(by, MAX_BY);
        reason = storable(reason, MAX_REASON);
    }

    private static @Nullable String storable(@Nullable String text, int length) {
        return text == null || text.isBlank() ? null : Printable.beginning(text.strip(), length);
    }
}
