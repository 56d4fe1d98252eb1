package io.delayjob.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as text that can be stored.
 *
 * @param type the exception's class name, or a word of delayjob's own such as {@code TimedOut}
 * @param message its message; a long one is cut to its head and end
 * @param stackTrace the stack trace, if there is one; a long one is cut to its head and root cause
 */
public record Failure(
        String type, @Nullable String message, @Nullable String stackTrace) {

    private static final int MAX_TYPE = 200;
    private static final int MAX_MESSAGE = 1_000;
    private static final int MAX_STACK_TRACE = 8_000;

    public Failure {
        type = clean(Shortened.head(type, MAX_TYPE));
        message = message == null ? null : clean(Shortened.message(message, MAX_MESSAGE));
        stackTrace = stackTrace == null ? null : clean(Shortened.stackTrace(stackTrace, MAX_STACK_TRACE));
    }

    /** The failure that an exception of a handler means. */
    public static Failure of(Throwable thrown) {
        StringWriter trace = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(trace));
            return new Failure(thrown.getClass().getName(), thrown.getMessage(), trace.toString());
        } catch (RuntimeException | Error brokenException) {
            return new Failure(thrown.getClass().getName(), "(the exception cannot describe itself)", null);
        }
    }

    /** A failure that delayjob itself found. */
    public static Failure of(String type, String message) {
        return new Failure(type, message, null);
    }

    /** The same without texts, for a row that the store refuses with them. */
    public Failure withoutTexts() {
        return new Failure("(refused by the store)", null, null);
    }

    /** Databases refuse U+0000 and lone surrogates; a dead letter that cannot be written would be retried for ever. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            clean.append(c == 0 || SurrogatePairs.isHalf(text, i) ? '\uFFFD' : c);
        }
        return clean.toString();
    }

    @Override
    public String toString() {
        return message == null ? type : type + ": " + message;
    }
}
