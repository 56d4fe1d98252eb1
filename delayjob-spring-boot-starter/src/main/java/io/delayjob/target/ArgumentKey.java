package io.delayjob.target;

import io.delayjob.handler.KeyRule;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes the key of a target's rate from an argument of the call, such as {@code path}, or from an entry of a map, such
 * as {@code headers.X-Customer}. Thread-safe after {@link #bind}.
 */
final class ArgumentKey implements KeyRule {

    private final String argument;
    private final @Nullable String entry;
    private int index;

    /** @param text the argument, or the argument and the name of an entry, with a dot between them */
    ArgumentKey(String text) {
        int dot = text.indexOf('.');
        argument = dot < 0 ? text : text.substring(0, dot);
        entry = dot < 0 ? null : text.substring(dot + 1);
    }

    /**
     * Looks for the argument among these parameters of the target.
     *
     * @throws IllegalArgumentException if there is none
     */
    void bind(String target, List<PayloadParameter> parameters) {
        List<String> names = parameters.stream().map(PayloadParameter::name).toList();
        index = names.indexOf(argument);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "Invalid rate-by '%s' of target '%s': must begin with the name of one of its arguments, %s; correct it, or remove it for one rate of all calls."
                            .formatted(argument, target, names));
        }
    }

    @Override
    public @Nullable Object keyOf(List<@Nullable Object> arguments) {
        Object value = arguments.get(index);
        return entry != null ? value instanceof Map<?, ?> map ? map.get(entry) : null : value;
    }
}
