package io.delayjob.messaging;

import io.delayjob.target.JsonBody;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.util.MimeType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Turns a message that a listener has received into the arguments of a job that sends the message again. */
final class ReceivedMessage {

    private static final List<String> CONTENT_TYPES = List.of(
            "contentType", "content-type", CloudEvents.AMQP + "datacontenttype", CloudEvents.KAFKA + "datacontenttype");
    private static final List<String> KEYS =
            List.of("kafka_receivedMessageKey", CloudEvents.AMQP + "partitionkey", CloudEvents.KAFKA + "partitionkey");

    /**
     * Headers that Spring's listeners add. The names of these headers have no reserved prefix, so the names are listed
     * here.
     */
    private static final Set<String> OF_THE_LISTENER =
            Set.of("id", "timestamp", "errorChannel", "replyChannel", "priority", "deliveryAttempt");

    private final Message<?> message;
    private final JsonMapper mapper;
    private final StatedHeaders rule;

    ReceivedMessage(Message<?> message, JsonMapper mapper, StatedHeaders rule) {
        this.message = message;
        this.mapper = mapper;
        this.rule = rule;
    }

    /**
     * @throws IllegalArgumentException if the body must be JSON, but cannot be read as JSON; bytes must be JSON, and so
     *     must a text that is declared as JSON
     */
    Map<String, Object> arguments() {
        Map<String, Object> arguments = new HashMap<>();
        Object payload = message.getPayload();
        // Spring Kafka's listeners pass a null value as an object of this class.
        if (!payload.getClass().getName().equals("org.springframework.kafka.support.KafkaNull")) {
            arguments.put("body", body(payload));
        }
        Map<String, String> headers = headers();
        if (!headers.isEmpty()) {
            arguments.put("headers", headers);
        }
        KEYS.stream().map(this::text).filter(Objects::nonNull).findFirst().ifPresent(key -> arguments.put("key", key));
        return arguments;
    }

    private Object body(Object payload) {
        if (payload instanceof byte[] bytes) {
            String text = decoded(bytes);
            if (text == null) {
                throw notJson("its bytes are not UTF-8", null);
            }
            return json(text);
        }
        return payload instanceof String text && isJson() ? json(text) : payload;
    }

    private JsonBody json(String text) {
        try {
            if (mapper.readTree(text).isMissingNode()) {
                throw notJson("it is empty", null);
            }
        } catch (JacksonException unreadable) {
            throw notJson(unreadable.getOriginalMessage(), unreadable);
        }
        return new JsonBody(text);
    }

    private static IllegalArgumentException notJson(String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "Invalid body of the message: must be JSON, because a job stores its arguments as JSON; %s."
                        .formatted(why),
                cause);
    }

    private boolean isJson() {
        return CONTENT_TYPES.stream()
                .map(this::text)
                .filter(Objects::nonNull)
                .findFirst()
                .filter(type -> type.matches("application/([^;]*\\+)?json(;.*)?"))
                .isPresent();
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : message.getHeaders().keySet()) {
            String value = text(name);
            if (value != null && !OF_THE_LISTENER.contains(name) && rule.allows(name, value)) {
                headers.put(name, value);
            }
        }
        return headers;
    }

    /**
     * Returns {@code null} if the header is missing or cannot be a text. Headers from Kafka are bytes, and media types
     * are objects.
     */
    private @Nullable String text(String name) {
        Object value = message.getHeaders().get(name);
        if (value instanceof byte[] bytes) {
            return decoded(bytes);
        }
        return value instanceof CharSequence
                        || value instanceof Number
                        || value instanceof Boolean
                        || value instanceof MimeType
                ? value.toString()
                : null;
    }

    private static @Nullable String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException binary) {
            return null;
        }
    }
}
