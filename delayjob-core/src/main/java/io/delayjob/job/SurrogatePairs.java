package io.delayjob.job;

/**
 * Finds a half of a surrogate pair that stands without the other half. A database refuses such a half, or replaces it.
 * Two different texts may then become equal.
 */
public final class SurrogatePairs {

    private SurrogatePairs() {}

    /** Tells whether the character at this index is one half of a surrogate pair, and the other half is missing. */
    public static boolean isHalf(String text, int index) {
        char c = text.charAt(index);
        return Character.isSurrogate(c) && !isSplitAt(text, Character.isHighSurrogate(c) ? index + 1 : index);
    }

    static boolean isSplitAt(String text, int index) {
        return index > 0
                && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }
}
