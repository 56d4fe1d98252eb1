package io.delayjob.http;

import io.delayjob.handler.Handler;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.target.JobHeaders;
import io.delayjob.target.ReservedHeaders;
import io.delayjob.target.TargetKind;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/** Creates a handler from the properties {@code delayjob.targets.<name>.http}. */
final class HttpTargetKind implements TargetKind<HttpTargetProperties> {

    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE", "GET");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

    private final HttpClients clients;
    private final Supplier<@Nullable AnswerTickets> tickets;
    private final Supplier<EngineClock> clock;

    HttpTargetKind(HttpClients clients, Supplier<@Nullable AnswerTickets> tickets, Supplier<EngineClock> clock) {
        this.clients = clients;
        this.tickets = tickets;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public Class<HttpTargetProperties> properties() {
        return HttpTargetProperties.class;
    }

    @Override
    public Handler handler(String target, HttpTargetProperties properties, Handler.Builder rules) {
        TargetUrl url = TargetUrl.parse(target, properties.url(), properties.insecure());
        HttpTarget.Endpoint endpoint = new HttpTarget.Endpoint(
                url,
                method(target, properties.method()),
                headers(target, properties.headers()),
                new JobHeaders(properties.allowedHeaders()));
        refuseToAllow(target, properties.allowedHeaders(), properties.headers().keySet());
        Signer signer = Signer.of(target, properties.secret(), properties.previousSecret());
        return rules.parameters(HttpTarget.PARAMETERS)
                .calls(new HttpTarget(
                        target,
                        endpoint,
                        clients.client(target, properties),
                        signer,
                        answering(target, properties.answerWithin()),
                        new Excerpt(secrets(properties, url)),
                        clock));
    }

    private HttpTarget.@Nullable Answering answering(String target, @Nullable Duration within) {
        if (within == null) {
            return null;
        }
        if (within.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "Invalid answer-within of target '%s': must be 1 ms or more.".formatted(target));
        }
        AnswerTickets its = tickets.get();
        if (its == null || !its.hasAddress()) {
            throw new IllegalArgumentException(
                    ("Invalid answer-within of target '%s': needs an address for the answers; set "
                                    + "delayjob.answers.secret and delayjob.answers.url, or remove answer-within.")
                            .formatted(target));
        }
        return new HttpTarget.Answering(within, its);
    }

    private static HttpMethod method(String target, String text) {
        String method = text.strip().toUpperCase(Locale.ROOT);
        if (!METHODS.contains(method)) {
            throw new IllegalArgumentException(
                    "Invalid method of target '%s': must be one of %s.".formatted(target, String.join(", ", METHODS)));
        }
        return HttpMethod.valueOf(method);
    }

    private static Map<String, String> headers(String target, Map<String, String> headers) {
        headers.forEach((name, value) -> {
            if (!HEADER.matcher(name).matches() || ReservedHeaders.ofCalls(name)) {
                throw new IllegalArgumentException(
                        ("Invalid header '%s' of target '%s': must be the name of a header that does not frame or "
                                        + "sign a call. Write names with capitals or dots in brackets, as in "
                                        + "headers[X-Api-Key].")
                                .formatted(name.replaceAll("[^\\x20-\\x7e]", "?"), target));
            }
            if (!VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "Invalid value of header '%s' of target '%s': must be printable ASCII."
                                .formatted(name, target));
            }
        });
        return Map.copyOf(headers);
    }

    /** Jobs must not set a configured header, because this header may authenticate the call. */
    private static void refuseToAllow(String target, Collection<String> allowed, Collection<String> configured) {
        allowed.stream()
                .filter(name -> configured.stream().anyMatch(name::equalsIgnoreCase))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "Invalid allowed header '%s' of target '%s': must not be one of its configured headers; remove it from allowed-headers or from headers."
                                    .formatted(name, target));
                });
    }

    private static List<String> secrets(HttpTargetProperties properties, TargetUrl url) {
        List<String> secrets = new ArrayList<>(properties.headers().values());
        secrets.addAll(url.secrets());
        Stream.of(properties.secret(), properties.previousSecret())
                .filter(secret -> secret != null)
                .forEach(secrets::add);
        return secrets;
    }
}
