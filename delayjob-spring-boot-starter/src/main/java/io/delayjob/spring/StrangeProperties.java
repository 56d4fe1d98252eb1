package io.delayjob.spring;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.ser.PropertyWriter;

/**
 * Whether objects within one payload had properties that their classes neither read nor write. What a class only writes,
 * such as the answer of {@code isLarge()}, was stored by the same class. Jackson is handed it as an attribute of the
 * call, under this class. Not thread-safe.
 */
final class StrangeProperties {

    private final ObjectMapper mapper;
    private @Nullable String first;

    /** @param mapper says what classes write */
    StrangeProperties(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** The first such property; {@code null} when there was none. */
    @Nullable
    String first() {
        return first;
    }

    private void note(Object beanOrClass, String name) {
        Class<?> type = beanOrClass instanceof Class<?> handled ? handled : beanOrClass.getClass();
        if (first == null && UnreadableValue.isProperty(name) && !isWrittenBy(type, name)) {
            first = name;
        }
    }

    private boolean isWrittenBy(Class<?> type, String name) {
        try {
            Iterator<PropertyWriter> written =
                    mapper._serializationContext().findValueSerializer(type).properties();
            while (written.hasNext()) {
                if (written.next().getName().equals(name)) {
                    return true;
                }
            }
        } catch (JacksonException neverWritten) {
            // A class that can only be read.
        }
        return false;
    }

    /** Lets the call know, and has Jackson ignore the property as before. */
    static final class Noter extends DeserializationProblemHandler {

        @Override
        public boolean handleUnknownProperty(
                DeserializationContext context,
                JsonParser json,
                ValueDeserializer<?> deserializer,
                Object beanOrClass,
                String name) {
            if (context.getAttribute(StrangeProperties.class) instanceof StrangeProperties strange) {
                strange.note(beanOrClass, name);
            }
            return false;
        }
    }
}
