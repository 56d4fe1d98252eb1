package io.delayjob.internal.jdbc.dialect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transition. They run in one transaction, one after the other, with the same named parameters.
 *
 * @param lock the statement that locks rows and returns them. The first column is the id of the row. The later
 *     statements get these ids as {@code :locked}. If {@code lock} returns no row, the script ends. {@code null} if no
 *     statement needs locked rows
 * @param writes statements that change rows and return nothing
 * @param answer the last statement, which returns the result. {@code null} if there is no result. Also {@code null} if
 *     the statement {@code lock} already returns the values that the rows have after the change
 */
public record Script(
        @Nullable String lock,
        List<String> writes,
        @Nullable String answer) {

    public Script {
        writes = List.copyOf(writes);
    }

    static Script of(String answer) {
        return new Script(null, List.of(), answer);
    }

    static Script writing(String write) {
        return new Script(null, List.of(write), null);
    }

    static Script writing(String write, String answer) {
        return new Script(null, List.of(write), answer);
    }

    static Script locking(String lock, String answer) {
        return new Script(lock, List.of(), answer);
    }

    static Script locking(String lock, String write, String answer) {
        return new Script(lock, List.of(write), answer);
    }

    /** Locks rows, returns the values that these rows will have after the change, and then changes the rows. */
    static Script answering(String lock, String... writes) {
        return new Script(lock, List.of(writes), null);
    }

    Script after(String prefix) {
        if (lock != null) {
            return new Script(prefix + lock, writes, answer);
        }
        if (writes.isEmpty()) {
            return new Script(null, writes, prefix + answer);
        }
        List<String> prefixed = new ArrayList<>(writes);
        prefixed.set(0, prefix + writes.get(0));
        return new Script(null, prefixed, answer);
    }
}
