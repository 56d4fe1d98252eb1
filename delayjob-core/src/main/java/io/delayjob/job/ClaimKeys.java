package io.delayjob.job;

import io.delayjob.schedule.Stated;
import org.jspecify.annotations.Nullable;

/**
 * Contains the mutex, the rate key and the fair key of a job. An engine must know these keys before it claims the row
 * of the job. Most jobs have none of these keys. The keys are lines of the job's {@link JobExtras}. Each {@link DueRow}
 * contains the keys of its job. Immutable.
 *
 * @param mutex the job's {@linkplain JobExtras#mutex() mutex}, or {@code null}
 * @param rateKey the job's {@linkplain JobExtras#rateKey() rate key}, or {@code null}
 * @param fairKey the job's {@linkplain JobExtras#fairKey() fair key}, or {@code null}
 */
public record ClaimKeys(
        @Nullable String mutex,
        @Nullable String rateKey,
        @Nullable String fairKey) {

    /** Maximum length of each key, in characters. */
    public static final int MAX_LENGTH = 100;

    /**
     * Stands for a missing rate key if the handler has a rate for each key. If jobs of this handler have no rate key,
     * they all share one rate.
     */
    public static final String NO_RATE_KEY = "";

    /**
     * In the extras, each line with a key begins with one of these letters. All other lines begin with later letters,
     * so the lines with the keys come first. No later version may change these letters.
     */
    public static final String FIRST_LETTERS = "ab";

    /**
     * The first {@value} characters of the extras contain all lines with the keys. A read of many {@link DueRow}s needs
     * only these characters of the extras. This number is enough for three keys of the maximum length, even if every
     * character is escaped.
     */
    public static final int WITHIN = 640;

    /**
     * Reads the keys from a job's extras. The text may be the whole text of the extras, or only its first
     * {@value #WITHIN} characters. Returns {@code null} if there are no keys.
     */
    public static @Nullable ClaimKeys of(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String mutex = null;
        String rateKey = null;
        String fairKey = null;
        for (int from = 0; isKeyAt(from, text); ) {
            int end = text.indexOf('\n', from);
            String line = text.substring(from, end < 0 ? text.length() : end);
            mutex = mutex == null ? valueOf(JobExtras.MUTEX, line) : mutex;
            rateKey = rateKey == null ? valueOf(JobExtras.RATE_KEY, line) : rateKey;
            fairKey = fairKey == null ? valueOf(JobExtras.FAIR_KEY, line) : fairKey;
            from = end < 0 ? text.length() : end + 1;
        }
        return mutex == null && rateKey == null && fairKey == null ? null : new ClaimKeys(mutex, rateKey, fairKey);
    }

    /**
     * Returns the key that decides which leader may start a job. This key is the mutex or the rate key. Only the leader
     * of {@linkplain Partition#ofKey the key's partition} may start the job. If the result is {@code null}, the job may
     * be in any partition. If a job has a mutex, the mutex is the result.
     *
     * @param keys the job's keys, if there are any
     * @param hasRateByKey whether the handler has a rate for each key
     */
    public static @Nullable String deciding(@Nullable ClaimKeys keys, boolean hasRateByKey) {
        String mutex = keys == null ? null : keys.mutex;
        if (mutex != null || !hasRateByKey) {
            return mutex;
        }
        return keys == null || keys.rateKey == null ? NO_RATE_KEY : keys.rateKey;
    }

    private static @Nullable String valueOf(String name, String line) {
        return line.startsWith(name + " ") ? ExtraText.unescaped(line.substring(name.length() + 1)) : null;
    }

    private static boolean isKeyAt(int line, String text) {
        return line < text.length() && FIRST_LETTERS.indexOf(text.charAt(line)) >= 0;
    }

    /**
     * Tells whether it is certain that the first characters of a job's extras contain all keys. Lines with keys come
     * before all other lines. So if a line without a key begins within these characters, no key comes later.
     *
     * @param begin the first characters of the extras
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

    /** Refuses a mutex that is too long, blank or not printable. */
    public static String checkMutex(String mutex) {
        Stated.notNull(mutex, "mutex", "must be a short text such as account-7; leave it out for none");
        return ExtraText.check("mutex", mutex, MAX_LENGTH, "account-7");
    }

    /** Refuses a rate key that is too long, blank or not printable. */
    public static String checkRateKey(String rateKey) {
        Stated.notNull(rateKey, "rate key", "must be a short text such as customer-7; leave it out for none");
        return ExtraText.check("rate key", rateKey, MAX_LENGTH, "customer-7");
    }

    /** Refuses a fair key that is too long, blank or not printable. */
    public static String checkFairKey(String fairKey) {
        Stated.notNull(fairKey, "fair key", "must be a short text such as tenant-7; leave it out for none");
        return ExtraText.check("fair key", fairKey, MAX_LENGTH, "tenant-7");
    }
}
