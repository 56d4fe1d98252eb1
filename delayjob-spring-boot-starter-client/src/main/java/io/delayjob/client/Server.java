package io.delayjob.client;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Sends requests to the server. {@link #send} repeats a request that got no answer. Thread-safe. */
final class Server {

    /** Maximum length of an answer, in bytes. */
    private static final int MAX_ANSWER = 64 * 1024 * 1024;

    record Answer(int status, JsonNode body) {

        /** Returns an empty text if the answer does not name a problem of the API. */
        String problem() {
            String type = body.path("type").asString("");
            return type.startsWith(PROBLEM) ? type.substring(PROBLEM.length()) : "";
        }

        String text(String field) {
            return body.path(field).asString("");
        }
    }

    private static final class NoAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final Duration retryAfter;

        NoAnswerException(int status, Duration retryAfter) {
            super(
                    retryAfter.isZero()
                            ? "status " + status
                            : "status %d, try again after %d s".formatted(status, retryAfter.toSeconds()));
            this.retryAfter = retryAfter;
        }
    }

    private static final String PROBLEM = "urn:delayjob:";
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private final RestClient http;
    private final JsonMapper mapper;
    private final Supplier<RetryDelays> delays;
    private final InstantSource clock;

    Server(RestClient http, JsonMapper mapper, Supplier<RetryDelays> delays, InstantSource clock) {
        this.http = http;
        this.mapper = mapper;
        this.delays = delays;
        this.clock = clock;
    }

    /**
     * Returns the server's answer. The status is less than 500, and is neither 401 nor 403.
     *
     * @throws StoreException when the server does not answer, does not know this client, or fails
     */
    Answer send(Function<RestClient, RestClient.RequestHeadersSpec<?>> request) {
        RetryDelays between = delays.get();
        RetryTemplate attempts = new RetryTemplate(RetryPolicy.builder()
                .backOff(between)
                .predicate(
                        failure -> failure instanceof NoAnswerException || failure instanceof ResourceAccessException)
                .build());
        return known(() -> attempts.invoke(() -> {
            try {
                return exchange(request);
            } catch (NoAnswerException absent) {
                between.askedFor(absent.retryAfter);
                throw absent;
            }
        }));
    }

    /** Never repeats the request, because a second request would have another effect than the first. */
    Answer sendOnce(Function<RestClient, RestClient.RequestHeadersSpec<?>> request) {
        return known(() -> exchange(request));
    }

    private Answer exchange(Function<RestClient, RestClient.RequestHeadersSpec<?>> request) {
        return request.apply(http).exchangeForRequiredValue((sent, response) -> answer(response));
    }

    private static Answer known(Supplier<Answer> sent) {
        Answer answer;
        try {
            answer = sent.get();
        } catch (NoAnswerException | ResourceAccessException failed) {
            throw StoreException.unavailable(
                    "The delayjob server did not answer (%s): the same call may succeed later."
                            .formatted(failed.getMessage()),
                    failed);
        }
        if (answer.status() == 401 || answer.status() == 403 || answer.status() >= 500) {
            throw StoreException.refused(
                    "The delayjob server refused the call with status %d: %s"
                            .formatted(answer.status(), answer.text("detail")),
                    new IllegalStateException("HTTP status " + answer.status()));
        }
        return answer;
    }

    private Answer answer(ClientHttpResponse response) throws IOException {
        HttpStatusCode status = response.getStatusCode();
        byte[] body = response.getBody().readNBytes(MAX_ANSWER);
        if (status.value() == 429 || status.value() >= 502 && status.value() <= 504) {
            throw new NoAnswerException(status.value(), retryAfter(response.getHeaders()));
        }
        return new Answer(status.value(), read(body));
    }

    /** Returns zero if the server has stated no time, an unreadable time, or a time in the past. */
    private Duration retryAfter(HttpHeaders headers) {
        String text = headers.getFirst(HttpHeaders.RETRY_AFTER);
        if (text != null && SECONDS.matcher(text).matches()) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        long date;
        try {
            date = headers.getFirstDate(HttpHeaders.RETRY_AFTER);
        } catch (IllegalArgumentException unreadable) {
            return Duration.ZERO;
        }
        long millis = date - clock.millis();
        return date < 0 || millis < 0 ? Duration.ZERO : Duration.ofMillis(millis);
    }

    private JsonNode read(byte[] body) {
        try {
            return mapper.readTree(body);
        } catch (JacksonException noJson) {
            return MissingNode.getInstance();
        }
    }

    static IllegalArgumentException refusal(Answer answer) {
        String detail = answer.text("detail");
        return switch (answer.problem()) {
            case "invalid-arguments" -> new InvalidPayloadException(detail);
            case "too-large" -> new PayloadTooLongException(detail);
            case "" ->
                new IllegalArgumentException(
                        ("The server answered with status %d and gave no reason. Check that delayjob.client.url "
                                        + "is the address of delayjob's REST API.")
                                .formatted(answer.status()));
            default -> new IllegalArgumentException(detail);
        };
    }

    static <E extends Enum<E>> E value(Class<E> type, Answer answer, String field) {
        return Enum.valueOf(type, answer.text(field));
    }

    static @Nullable Instant instant(JsonNode job, String field) {
        String text = job.path(field).asString("");
        return text.isEmpty() ? null : Instant.parse(text);
    }
}
