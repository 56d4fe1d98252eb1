package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.job.Printable;
import io.delayjob.job.StorableText;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Refuses texts that a database cannot store. Otherwise, an error of the database would end the caller's transaction.
 */
final class Texts {

    private static final int SHOWN_LENGTH = 100;

    private Texts() {}

    static String checkName(String name) {
        return Handler.checkName(checkStoredName(name));
    }

    /** Older versions accepted more names. */
    static String checkStoredName(String name) {
        return checkStorable("job name", Handler.checkStoredName(name));
    }

    static String checkKey(String name, @Nullable Object key) {
        return Printable.check("key", checkStoredKey(name, key));
    }

    /** Older versions accepted more keys. */
    static String checkStoredKey(String name, @Nullable Object key) {
        String text = textOf("key", name, key);
        if (text.isBlank() || text.length() > ScheduleSpec.MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "Invalid key '%s' (%d characters) for job '%s': must have 1 to %d characters and not be blank. Use a short text that identifies the job, such as an id."
                            .formatted(shown(text), text.length(), Printable.of(name), ScheduleSpec.MAX_KEY_LENGTH));
        }
        return checkStorable("key", text);
    }

    static String textOf(String what, String name, @Nullable Object value) {
        String text = value == null ? null : value.toString();
        if (value == null || text == null) {
            throw new IllegalArgumentException(
                    "Invalid %s null for job '%s': must be a value that identifies %s. If it is a generated id, save the entity first."
                            .formatted(what, Printable.of(name), identified(what)));
        }
        if (value.getClass().isArray() || text.equals(identityOf(value))) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s' for job '%s': must have a text form, but an object of type %s has none. Use an id, or give the class a toString()."
                            .formatted(
                                    what,
                                    shown(text),
                                    Printable.of(name),
                                    value.getClass().getSimpleName()));
        }
        return text;
    }

    private static String identified(String what) {
        return switch (what) {
            case "key" -> "the job";
            case "mutex" -> "the thing that only one job at a time may use";
            case "rate key" -> "the thing that has a rate of its own";
            default -> "the tenant that the job is for";
        };
    }

    /** Returns the text of {@link Object#toString()}, such as {@code Order@1f2e}. It says nothing about the value. */
    private static String identityOf(Object key) {
        return key.getClass().getName() + "@" + Integer.toHexString(key.hashCode());
    }

    static String checkStorable(String what, String text) {
        unstorable(text).ifPresent(index -> {
            throw new IllegalArgumentException(
                    "Invalid %s '%s': %s.".formatted(what, shown(text), unstorableRule(text, index)));
        });
        return text;
    }

    static OptionalInt unstorable(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (StorableText.isRefused(text, index)) {
                return OptionalInt.of(index);
            }
        }
        return OptionalInt.empty();
    }

    static String unstorableRule(String text, int index) {
        return "must not contain U+%04X (at index %d), because databases refuse that character; remove it"
                .formatted((int) text.charAt(index), index);
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), SHOWN_LENGTH); i++) {
            shown.append(StorableText.isRefused(text, i) ? '\uFFFD' : text.charAt(i));
        }
        return Printable.of(text.length() > SHOWN_LENGTH ? shown + "…" : shown.toString());
    }
}
