package io.delayjob.job;

/** Shortens the texts of exceptions, but keeps their most useful parts and whole surrogate pairs. */
final class Shortened {

    private static final String CAUSED_BY = "\nCaused by: ";

    private static final int GAP = 50;

    private Shortened() {}

    static String head(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(0, SurrogatePairs.isSplitAt(text, length) ? length - 1 : length);
    }

    /** A message may begin with a long SQL statement and end with the reason, so the end is kept, too. */
    static String message(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        String head = head(text, length * 3 / 5);
        String end = end(text, length - head.length() - GAP);
        return head + " " + gap(text.length() - head.length() - end.length()) + " " + end;
    }

    private static String end(String text, int length) {
        int from = text.length() - length;
        return text.substring(SurrogatePairs.isSplitAt(text, from) ? from + 1 : from);
    }

    static String stackTrace(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int root = text.lastIndexOf(CAUSED_BY);
        if (root < 0) {
            String head = lines(text, length - GAP);
            return head + "\n" + gap(text.length() - head.length());
        }
        String cause = lines(text.substring(root), Math.max(length / 2, length - root - GAP));
        String head = lines(text.substring(0, root), length - cause.length() - GAP);
        String gap = "\n" + gap(text.length() - head.length() - cause.length());
        return head.length() < root ? head + gap + cause : head + cause + gap;
    }

    private static String lines(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int end = text.lastIndexOf('\n', length);
        return end <= 0 ? head(text, length) : text.substring(0, end);
    }

    private static String gap(int left) {
        return "… " + left + " characters left out …";
    }
}
