package io.delayjob.jdbc.dialect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transition, to be run one after the other in one transaction, all with the same named
 * parameters. Where one statement can do it all, the script is that statement.
 *
 * @param lock locks rows and answers them, their ids first; the statements behind it see the ids as the list
 *     {@code :locked}. {@code null} when the others need none. When it answers no row, the script is over.
 * @param writes statements that change rows and answer nothing
 * @param answer the last statement; its rows are the script's answer. {@code null} where those of {@code lock} are,
 *     which reads them as they will be once the script has changed them, or where there is nothing to be answered.
 */
public record Script(
        @Nullable String lock,
        List<String> writes,
        @Nullable String answer) {

    public Script {
        writes = List.copyOf(writes);
    }

    /** One statement does it. */
    static Script of(String answer) {
        return new Script(null, List.of(), answer);
    }

    /** Writes, and answers nothing. */
    static Script writing(String write) {
        return new Script(null, List.of(write), null);
    }

    /** Writes, then says what has come of it. */
    static Script writing(String write, String answer) {
        return new Script(null, List.of(write), answer);
    }

    /** Locks first, then acts on the locked rows alone. */
    static Script locking(String lock, String answer) {
        return new Script(lock, List.of(), answer);
    }

    /** Locks first, then writes, then acts on the locked rows alone. */
    static Script locking(String lock, String write, String answer) {
        return new Script(lock, List.of(write), answer);
    }

    /** Locks rows and answers them as they will be, then makes them so. */
    static Script answering(String lock, String... writes) {
        return new Script(lock, List.of(writes), null);
    }

    /** The same with a prefix ahead of its first statement. */
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
