package io.delayjob.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * The reason for an attempt's failure, as text that can be stored. Long texts are shortened.
 *
 * @param type the class name of the exception, or a name that delayjob defines, such as {@code TimedOut}
 * @param message the exception's message; {@code null} if there is none. If the message is long, only its beginning and
 *     its end remain
 * @param stackTrace the stack trace; {@code null} if there is none. If the stack trace is long, only its beginning and
 *     its root cause remain
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

    /** Returns the failure for an exception of a handler. */
    public static Failure of(Throwable thrown) {
        StringWriter trace = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(trace));
            return new Failure(thrown.getClass().getName(), thrown.getMessage(), trace.toString());
        } catch (RuntimeException | Error brokenException) {
            return new Failure(thrown.getClass().getName(), "(the exception cannot describe itself)", null);
        }
    }

    /** Returns a failure that delayjob itself has found. */
    public static Failure of(String type, String message) {
        return new Failure(type, message, null);
    }

    /** Returns a copy without texts, for a store that has refused the texts. */
    public Failure withoutTexts() {
        return new Failure("(refused by the store)", null, null);
    }

    /**
     * Replaces characters that databases refuse. Otherwise the failure could not be stored, and the job would be
     * retried for ever.
     */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            clean.append(StorableText.isRefused(text, i) ? '\uFFFD' : text.charAt(i));
        }
        return clean.toString();
    }

    @Override
    public String toString() {
        return message == null ? type : type + ": " + message;
    }
}
