package io.delayjob.rest;

import java.io.IOException;
import java.util.stream.Collectors;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes bodies of the REST API. A body that is too long is refused before it is parsed. Thread-safe. */
final class ApiBodyConverter extends AbstractHttpMessageConverter<ApiBody> {

    private final JsonMapper mapper;
    private final int maxBytes;

    ApiBodyConverter(JsonMapper mapper, int maxBytes) {
        super(MediaType.APPLICATION_JSON, MediaType.APPLICATION_PROBLEM_JSON);
        this.mapper = mapper;
        this.maxBytes = maxBytes;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return ApiBody.class.isAssignableFrom(type);
    }

    @Override
    protected ApiBody readInternal(Class<? extends ApiBody> type, HttpInputMessage message) throws IOException {
        byte[] body = message.getBody().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw Problem.TOO_LARGE.of(
                    "Invalid body of more than %d bytes: must be shorter; store the data elsewhere and send its id."
                            .formatted(maxBytes));
        }
        try {
            ApiBody read = mapper.readValue(body, type);
            if (read == null) {
                throw Problem.UNREADABLE.of("Unreadable body: must be a JSON object, but is null.");
            }
            return read;
        } catch (JacksonException unreadable) {
            throw Problem.UNREADABLE.of(
                    ("Unreadable body%s: must be a JSON object whose fields are those of the API, with no field "
                                    + "twice and each value of the right type.")
                            .formatted(place(unreadable)));
        }
    }

    /** The result does not contain the parser's message, because this message contains names of classes. */
    private static String place(JacksonException unreadable) {
        String path = unreadable.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
        if (!path.isEmpty()) {
            return " at '" + path + "'";
        }
        return unreadable.getLocation() == null
                ? ""
                : " at line %d, column %d"
                        .formatted(
                                unreadable.getLocation().getLineNr(),
                                unreadable.getLocation().getColumnNr());
    }

    @Override
    protected void writeInternal(ApiBody body, HttpOutputMessage message) throws IOException {
        message.getBody().write(mapper.writeValueAsBytes(body));
    }
}
