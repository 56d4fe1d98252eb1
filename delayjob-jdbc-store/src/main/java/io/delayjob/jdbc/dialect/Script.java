package io.delayjob.jdbc.dialect;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statements of one transition, to be run one after the other in one transaction, all with the same named parameters.
 * Where one statement can do it all, the script is that statement.
 *
 * @param lock locks rows and answers their ids, which the statements behind it see as the array {@code :locked};
 *     {@code null} when the others need none. When it answers none, the script is over.
 * @param writes statements that change rows and answer nothing
 * @param answer the last statement; its rows are the script's answer
 */
public record Script(@Nullable String lock, List<String> writes, String answer) {

    public Script {
        writes = List.copyOf(writes);
        Objects.requireNonNull(answer);
    }

    /** One statement does it. */
    static Script of(String answer) {
        return new Script(null, List.of(), answer);
    }

    /** Locks first, then acts on the locked rows alone. */
    static Script locking(String lock, String answer) {
        return new Script(lock, List.of(), answer);
    }

    /** Locks first, then writes, then acts on the locked rows alone. */
    static Script locking(String lock, String write, String answer) {
        return new Script(lock, List.of(write), answer);
    }
}
