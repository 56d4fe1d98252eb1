package io.delayjob.job;

/** Knows which characters not every store keeps: databases refuse U+0000 and halves of surrogate pairs. */
public final class StorableText {

    private StorableText() {}

    /** Tells whether the character at that index cannot be stored. */
    public static boolean isRefused(String text, int index) {
        return text.charAt(index) == 0 || SurrogatePairs.isHalf(text, index);
    }
}
