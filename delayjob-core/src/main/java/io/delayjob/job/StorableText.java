package io.delayjob.job;

/** Finds characters that some stores cannot keep: U+0000 and halves of surrogate pairs. */
public final class StorableText {

    private StorableText() {}

    /** Tells whether some stores cannot keep the character at this index. */
    public static boolean isRefused(String text, int index) {
        return text.charAt(index) == 0 || SurrogatePairs.isHalf(text, index);
    }
}
