package io.delayjob.job;

import org.jspecify.annotations.Nullable;

/**
 * What an engine has to know of a job before it claims the job's row. Most jobs have none of these keys. They are lines
 * of the job's {@link JobExtras}, and readers of many rows bring them with each row. Immutable.
 *
 * @param mutex the job's {@linkplain JobExtras#mutex() mutex}; {@code null} if it has none
 * @param fairKey the job's {@linkplain JobExtras#fairKey() fair key}; {@code null} if it has none
 */
public record ClaimKeys(@Nullable String mutex, @Nullable String fairKey) {

    /**
     * The letters with which the lines of such keys begin, so these lines come first in alphabetical order. All other
     * lines begin with a later letter, and no later version may change this.
     */
    public static final String FIRST_LETTERS = "ab";

    /**
     * Number of characters with which the extras begin, up to the end of all such lines. A reader of many rows reads
     * only these. They are enough for three keys of the maximum length.
     */
    public static final int WITHIN = 640;

    /**
     * Reads the keys from the text of a job's extras, or from the first {@value #WITHIN} characters of that text;
     * {@code null} if there are none.
     */
    public static @Nullable ClaimKeys of(@Nullable String text) {
        if (text == null) {
            // Most jobs have no extras.
            return null;
        }
        String mutex = null;
        String fairKey = null;
        for (int from = 0; isKeyAt(from, text); ) {
            int end = text.indexOf('\n', from);
            String line = text.substring(from, end < 0 ? text.length() : end);
            mutex = mutex == null ? valueOf(JobExtras.MUTEX, line) : mutex;
            fairKey = fairKey == null ? valueOf(JobExtras.FAIR_KEY, line) : fairKey;
            from = end < 0 ? text.length() : end + 1;
        }
        return mutex == null && fairKey == null ? null : new ClaimKeys(mutex, fairKey);
    }

    private static @Nullable String valueOf(String name, String line) {
        return line.startsWith(name + " ") ? ExtraText.unescaped(line.substring(name.length() + 1)) : null;
    }

    private static boolean isKeyAt(int line, String text) {
        return line < text.length() && FIRST_LETTERS.indexOf(text.charAt(line)) >= 0;
    }

    /**
     * Tells whether this beginning of the extras is long enough to read the keys from it, because it reaches a line
     * without a key.
     */
    public static boolean areWithin(String begin) {
        int line = 0;
        while (isKeyAt(line, begin)) {
            line = begin.indexOf('\n', line) + 1;
            if (line == 0) {
                return false;
            }
        }
        return line < begin.length();
    }
}
