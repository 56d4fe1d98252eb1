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
 * Finds the properties of a payload that the classes of the payload's objects neither read nor write. A class may write
 * a property and not read it, for example the result of {@code isLarge()}. Such a property is not reported, because the
 * class itself has put it into the payload. Each call to Jackson gets a {@code StrangeProperties} object as an
 * attribute. The key of the attribute is the class of the object. Not thread-safe.
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
            // Jackson can read objects of this class but cannot write them, so the class writes no property.
        }
        return false;
    }

    /**
     * Records an unknown property for the present call. Jackson then ignores the property, as it would without this
     * class.
     */
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
