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
 * Finds the properties of a payload that the classes of the payload neither read nor write. If the class itself writes
 * a property, the property is not strange. For example, a class with a method {@code isLarge()} writes the property
 * {@code large}. Each call to Jackson gets its own {@code StrangeProperties} object. Not thread-safe.
 */
final class StrangeProperties {

    private final ObjectMapper mapper;
    private @Nullable String first;

    StrangeProperties(ObjectMapper mapper) {
        this.mapper = mapper;
    }

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
            // Jackson cannot write objects of this class.
        }
        return false;
    }

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
