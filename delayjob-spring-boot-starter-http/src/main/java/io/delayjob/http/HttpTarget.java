package io.delayjob.http;

import io.delayjob.handler.JobContext;
import io.delayjob.handler.JobHandler;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.spring.WithheldException;
import io.delayjob.target.JobHeaders;
import io.delayjob.target.JsonBody;
import io.delayjob.target.OutgoingMessage;
import io.delayjob.target.RefusedByTargetException;
import io.delayjob.target.Target;
import io.delayjob.time.EngineClock;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Calls a configured URL once for each attempt of a job. Thread-safe. */
final class HttpTarget implements JobHandler {

    static final List<PayloadParameter> PARAMETERS =
            List.of(new PayloadParameter("path", String.class, true), Target.HEADERS, Target.BODY);

    /** Name of a class that Spring Boot 4.0 does not have. */
    private static final String REFUSED_ADDRESS = "org.springframework.boot.http.client.FilteredHostException";

    /** Maximum number of causes that are searched, because causes may form a circle. */
    private static final int MAX_CAUSES = 100;

    private final String name;
    private final Endpoint endpoint;
    private final RestClient client;
    private final @Nullable Signer signer;
    private final @Nullable Answering answering;
    private final Excerpt excerpt;
    private final Supplier<EngineClock> clock;

    HttpTarget(
            String name,
            Endpoint endpoint,
            RestClient client,
            @Nullable Signer signer,
            @Nullable Answering answering,
            Excerpt excerpt,
            Supplier<EngineClock> clock) {
        this.name = name;
        this.endpoint = endpoint;
        this.client = client;
        this.signer = signer;
        this.answering = answering;
        this.excerpt = excerpt;
        this.clock = clock;
    }

    record Endpoint(TargetUrl url, HttpMethod method, Map<String, String> headers, JobHeaders allowed) {}

    record Answering(Duration within, AnswerTickets tickets) {}

    private record Call(URI uri, Map<String, String> headers, String body) {}

    @Override
    public void check(List<@Nullable Object> arguments) {
        call(arguments);
    }

    @SuppressWarnings("unchecked") // The codec has read each as its parameter's type.
    private Call call(List<@Nullable Object> arguments) {
        URI uri = endpoint.url().resolve((String) arguments.get(0));
        Map<String, String> headers = endpoint.allowed().check((Map<String, @Nullable String>) arguments.get(1));
        JsonBody body = (JsonBody) arguments.get(2);
        if (body != null && endpoint.method().equals(HttpMethod.GET)) {
            throw new IllegalArgumentException("a GET call has no body; leave the body out.");
        }
        return new Call(uri, headers, body == null ? "" : body.json());
    }

    @Override
    public Object handle(List<@Nullable Object> arguments, JobContext job) {
        Call call;
        try {
            call = call(arguments);
        } catch (IllegalArgumentException refused) {
            throw new RefusedByTargetException("Target '%s' was not called: %s".formatted(name, refused.getMessage()));
        }
        Instant now = clock.get().storeTime();
        RestClient.RequestBodySpec request =
                client.method(endpoint.method()).uri(call.uri()).headers(headers -> fill(headers, call, job, now));
        if (!call.body().isEmpty()) {
            request.contentType(MediaType.APPLICATION_JSON).body(call.body().getBytes(StandardCharsets.UTF_8));
        }
        Answered answered;
        try {
            answered = request.exchangeForRequiredValue((sent, response) -> answered(response, job));
        } catch (RuntimeException failed) {
            // The exception of the client is left out, because its message contains the URL, which must not be stored
            // with a job.
            Throwable cause =
                    failed instanceof ResourceAccessException && failed.getCause() != null ? failed.getCause() : failed;
            throw new UnsuccessfulCallException(
                    "Target '%s' could not be called: %s"
                            .formatted(name, cause.getClass().getSimpleName()),
                    isRefusedAddress(cause) ? WithheldException.of(cause, "the address of the target") : cause);
        }
        return answered.next(name, job, answering == null ? null : answering.within(), now);
    }

    /** The messages then show the host. Messages of other causes are kept, because operators need them. */
    private static boolean isRefusedAddress(Throwable cause) {
        return Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .anyMatch(each -> each.getClass().getName().equals(REFUSED_ADDRESS));
    }

    private void fill(HttpHeaders headers, Call call, JobContext job, Instant now) {
        String id = OutgoingMessage.idOf(job);
        endpoint.headers().forEach(headers::set);
        call.headers().forEach(headers::set);
        headers.set("Idempotency-Key", '"' + id + '"');
        headers.set("delayjob-attempt", String.valueOf(job.attempt()));
        if (answering != null) {
            answering.tickets().address(job.ticket()).ifPresent(url -> headers.set("delayjob-answer-to", url));
        }
        headers.set("webhook-id", id);
        headers.set("webhook-timestamp", String.valueOf(now.getEpochSecond()));
        if (signer != null) {
            headers.set("webhook-signature", signer.sign(id, now.getEpochSecond(), call.body()));
        }
    }

    private Answered answered(ClientHttpResponse response, JobContext job) throws IOException {
        // Anyone who has the ticket may answer, so the ticket is masked in failures.
        List<String> sent =
                answering == null ? List.of() : List.of(answering.tickets().write(job.ticket()));
        return new Answered(
                response.getStatusCode().value(),
                response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER),
                excerpt.read(response.getBody(), sent));
    }

    @Override
    public String toString() {
        return "HTTP target '" + name + "'";
    }
}
