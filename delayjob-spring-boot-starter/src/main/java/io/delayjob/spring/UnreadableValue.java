package io.delayjob.spring;

import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;

/** Says where a payload cannot be read and what must stand there, and nothing of what does. */
final class UnreadableValue {

    private static final Pattern PROPERTY = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$-]{0,49}");

    private UnreadableValue() {}

    /** Whether it can be the name of a property. A key of a map may be anything, and is a value. */
    static boolean isProperty(String name) {
        return PROPERTY.matcher(name).matches();
    }

    /** @param parameter whose argument was being read; {@code null}: it was the JSON around them */
    static String describe(@Nullable PayloadParameter parameter, RuntimeException thrown) {
        String type = thrown.getClass().getSimpleName();
        if (parameter == null) {
            return "Payload cannot be read, at the JSON itself%s: must be a JSON object by parameter name (%s)."
                    .formatted(character(thrown), type);
        }
        return "Payload cannot be read, at '%s%s': must be %s (%s)."
                .formatted(parameter.name(), path(thrown), expected(parameter, thrown), type);
    }

    private static String character(RuntimeException thrown) {
        TokenStreamLocation location = thrown instanceof JacksonException failure ? failure.getLocation() : null;
        return location == null || location.getCharOffset() < 0
                ? ""
                : " (character %d)".formatted(location.getCharOffset());
    }

    private static String path(RuntimeException thrown) {
        StringBuilder path = new StringBuilder();
        List<JacksonException.Reference> steps =
                thrown instanceof JacksonException failure ? failure.getPath() : List.of();
        for (JacksonException.Reference step : steps) {
            String property = step.getPropertyName();
            if (property == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else if (step.from() instanceof Map || !isProperty(property)) {
                path.append("[…]");
            } else {
                path.append('.').append(property);
            }
        }
        return path.toString();
    }

    private static String expected(PayloadParameter parameter, RuntimeException thrown) {
        Class<?> target = thrown instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return target == null ? parameter.type().getTypeName() : target.getTypeName();
    }
}
