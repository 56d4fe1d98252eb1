package io.delayjob.target;

import io.delayjob.handler.KeyRule;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a key of a job from an argument, or from an entry of a map, such as {@code headers.X-Customer}. Thread-safe
 * after {@link #bind}.
 */
final class ArgumentKey implements KeyRule {

    private final String property;
    private final String argument;
    private final @Nullable String entry;
    private int index;

    private ArgumentKey(String property, String text) {
        this.property = property;
        int dot = text.indexOf('.');
        argument = dot < 0 ? text : text.substring(0, dot);
        entry = dot < 0 ? null : text.substring(dot + 1);
    }

    static @Nullable ArgumentKey of(String property, @Nullable String text) {
        return text == null ? null : new ArgumentKey(property, text);
    }

    void bind(String target, List<PayloadParameter> parameters) {
        List<String> names = parameters.stream().map(PayloadParameter::name).toList();
        index = names.indexOf(argument);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "Invalid %s '%s' of target '%s': must begin with the name of one of its arguments, %s; correct or remove it."
                            .formatted(property, argument, target, names));
        }
    }

    @Override
    public @Nullable Object keyOf(List<@Nullable Object> arguments) {
        Object value = arguments.get(index);
        return entry != null ? value instanceof Map<?, ?> map ? map.get(entry) : null : value;
    }
}
