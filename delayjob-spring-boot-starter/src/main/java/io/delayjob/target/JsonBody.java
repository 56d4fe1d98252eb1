package io.delayjob.target;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Any JSON value, exactly as it was stored, so numbers keep all their digits. Immutable.
 *
 * @param json the JSON text
 */
@JsonDeserialize(using = JsonBody.Reader.class)
public record JsonBody(@JsonRawValue @JsonValue String json) {

    /** Returns only the length of the text, because the text may be secret. */
    @Override
    public String toString() {
        return "JSON of " + json.length() + " characters";
    }

    static final class Reader extends StdDeserializer<JsonBody> {

        private static final JsonMapper WRITER = JsonMapper.builder().build();

        Reader() {
            super(JsonBody.class);
        }

        @Override
        public JsonBody deserialize(JsonParser json, DeserializationContext context) {
            StringWriter text = new StringWriter();
            try (JsonGenerator copy = WRITER.createGenerator(text)) {
                copy.copyCurrentStructureExact(json);
            }
            return new JsonBody(text.toString());
        }
    }
}
