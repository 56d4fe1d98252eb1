package io.delayjob.schedule;

import java.time.Duration;

/**
 * The k-th gap is {@code first * factor^(k - 1)}, rounded to milliseconds.
 *
 * @param first at least 1 ms
 * @param factor at least 1
 * @param limit the maximum gap; if the first gap is longer, all gaps are as long as the first
 */
record Growth(Duration first, double factor, Duration limit) {

    static final Duration NO_LIMIT = Spans.MAX;

    static double checkFactor(String what, double factor) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException("Invalid " + what + " (" + factor
                    + "): must be a number of at least 1, for example 2 to double each gap");
        }
        return factor;
    }

    long gap(int k) {
        // Math.pow may differ between machines in the last bit.
        double millis = first.toMillis() * StrictMath.pow(factor, k - 1);
        return millis >= longest() ? longest() : Math.round(millis);
    }

    boolean isConstantFrom(int k) {
        return factor == 1 || gap(k) == longest();
    }

    /** Returns a text such as {@code PT10S*2<=PT1H}, or {@code PT10S*2} without a limit. */
    String toText() {
        String number = Double.toString(factor);
        String plain = number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
        return first + "*" + plain + (isLimited() ? "<=" + limit : "");
    }

    static Growth parse(String text) {
        int times = text.indexOf('*');
        if (times < 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' lacks a factor: must look like PT10S*2, or like PT10S*2<=PT1H with a limit");
        }
        int atMost = text.indexOf("<=", times);
        Duration first = Spans.positive("first gap", DurationText.parse(text.substring(0, times)));
        String factor = atMost < 0 ? text.substring(times + 1) : text.substring(times + 1, atMost);
        Duration limit =
                atMost < 0 ? NO_LIMIT : Spans.positive("limit", DurationText.parse(text.substring(atMost + 2)));
        return new Growth(first, checkFactor("factor", number(factor)), limit);
    }

    private long longest() {
        return Math.max(first.toMillis(), limit.toMillis());
    }

    private boolean isLimited() {
        return !limit.equals(NO_LIMIT);
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a factor: must be a number such as 2 or 1.5", e);
        }
    }
}
