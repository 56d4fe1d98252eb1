package io.delayjob.job;

/**
 * Finds halves of surrogate pairs. Databases refuse them, or replace them so that two texts become one; so no text may
 * hold one, and none may be cut into one.
 */
public final class SurrogatePairs {

    private SurrogatePairs() {}

    /** Whether the character at that index is one half of a pair, and the other half is not beside it. */
    public static boolean isHalf(String text, int index) {
        char c = text.charAt(index);
        return Character.isSurrogate(c) && !isSplitAt(text, Character.isHighSurrogate(c) ? index + 1 : index);
    }

    /** Whether a cut before the character at that index would split a pair. */
    static boolean isSplitAt(String text, int index) {
        return index > 0
                && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }
}
