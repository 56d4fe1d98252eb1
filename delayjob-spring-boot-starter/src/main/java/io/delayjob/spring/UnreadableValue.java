package io.delayjob.spring;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.delayjob.handler.PayloadParameter;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;

/** Describes where a payload cannot be read, without any value of the payload. */
final class UnreadableValue {

    private static final Pattern PROPERTY = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$-]{0,49}");

    private UnreadableValue() {}

    /** The key of a map may be any text, so such a key is treated as a value. */
    static boolean isProperty(String name) {
        return PROPERTY.matcher(name).matches();
    }

    /** @param parameter {@code null} for the JSON around the arguments */
    static String describe(@Nullable PayloadParameter parameter, Throwable thrown) {
        String type = thrown.getClass().getSimpleName();
        if (parameter == null) {
            return "The payload cannot be read as JSON%s: must be a JSON object with arguments by parameter name (%s)."
                    .formatted(character(thrown), type);
        }
        return "The payload cannot be read at '%s%s': must be %s (%s)."
                .formatted(parameter.name(), path(thrown), expected(parameter, thrown), type);
    }

    private static String character(Throwable thrown) {
        TokenStreamLocation location = thrown instanceof JacksonException failure ? failure.getLocation() : null;
        return location == null || location.getCharOffset() < 0
                ? ""
                : " (character %d)".formatted(location.getCharOffset());
    }

    private static String path(Throwable thrown) {
        StringBuilder path = new StringBuilder();
        List<JacksonException.Reference> steps =
                thrown instanceof JacksonException failure ? failure.getPath() : List.of();
        for (JacksonException.Reference step : steps) {
            String property = step.getPropertyName();
            if (property == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else if (!isProperty(property) || takesAnyKey(step.from())) {
                path.append("[…]");
            } else {
                path.append('.').append(property);
            }
        }
        return path.toString();
    }

    private static boolean takesAnyKey(@Nullable Object owner) {
        if (owner == null) {
            return false;
        }
        Class<?> type = owner instanceof Class<?> handled ? handled : owner.getClass();
        if (Map.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            Stream<AnnotatedElement> members =
                    Stream.concat(Arrays.stream(each.getDeclaredMethods()), Arrays.stream(each.getDeclaredFields()));
            if (members.anyMatch(member -> member.isAnnotationPresent(JsonAnySetter.class))) {
                return true;
            }
        }
        return false;
    }

    private static String expected(PayloadParameter parameter, Throwable thrown) {
        Class<?> target = thrown instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return target == null ? parameter.type().getTypeName() : target.getTypeName();
    }
}
