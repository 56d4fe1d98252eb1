package io.delayjob.job;

/**
 * Finds halves of surrogate pairs. A database refuses such a half, or replaces it, so that two different texts become
 * equal. Therefore every text may contain only whole pairs. Even when a text is shortened, each pair must stay whole or
 * be left out.
 */
public final class SurrogatePairs {

    private SurrogatePairs() {}

    /**
     * Tells whether the character at that index is one half of a surrogate pair, and the other half is missing next to
     * it.
     */
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
