package io.delayjob.messaging;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message that one attempt sends to a broker. Immutable.
 *
 * @param id the id of the message, which is the same for all attempts of a run
 * @param key the record key on Kafka, or {@code null}
 * @param body JSON text, or {@code null}
 */
record BrokerMessage(
        String id, @Nullable String key, @Nullable String body, Map<String, String> headers) {

    static final String CONTENT_TYPE = "application/json";

    byte @Nullable [] bytes() {
        return body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns only the id, because the other parts of the message may be secret. */
    @Override
    public String toString() {
        return "message " + id;
    }
}
