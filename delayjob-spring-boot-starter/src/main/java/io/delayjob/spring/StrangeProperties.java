package io.delayjob.spring;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/**
 * Whether objects within one payload had properties that their classes do not know. Jackson is handed it as an
 * attribute of the call, under this class. Not thread-safe.
 */
final class StrangeProperties {

    private @Nullable String first;

    /** The first such property; {@code null} when there was none. */
    @Nullable
    String first() {
        return first;
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
            if (context.getAttribute(StrangeProperties.class) instanceof StrangeProperties strange
                    && strange.first == null
                    && UnreadableValue.isProperty(name)) {
                strange.first = name;
            }
            return false;
        }
    }
}
