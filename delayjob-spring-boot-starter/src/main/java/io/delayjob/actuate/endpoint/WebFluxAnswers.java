package io.delayjob.actuate.endpoint;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Completes the answers of the endpoint over Spring WebFlux, as {@link RefusedRequests}, {@link RefusedChanges} and
 * {@link BusyAnswers} do over Spring MVC. Runs outside of Spring Security. Thread-safe.
 */
final class WebFluxAnswers implements WebFilter, Ordered {

    private final EndpointPath path;
    private final BooleanSupplier changesAllowed;
    private final Refusal.Log log;

    WebFluxAnswers(EndpointPath path, BooleanSupplier changesAllowed, Refusal.Log log) {
        this.path = path;
        this.changesAllowed = changesAllowed;
        this.log = log;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (!path.isOf(exchange.getRequest().getPath().pathWithinApplication().value())) {
            return chain.filter(exchange);
        }
        ServerHttpResponse response = exchange.getResponse();
        response.beforeCommit(() -> {
            if (HttpStatus.SERVICE_UNAVAILABLE.equals(response.getStatusCode())) {
                response.getHeaders().set(HttpHeaders.RETRY_AFTER, TooManyReadsException.RETRY_AFTER);
            }
            return Mono.empty();
        });
        if (!Refusal.isChange(exchange.getRequest().getMethod().name())) {
            return chain.filter(exchange);
        }
        return chain.filter(exchange.mutate().response(new Explained(exchange)).build())
                .onErrorResume(MethodNotAllowedException.class, refusal -> answer(response, refusal))
                .onErrorResume(
                        UnsupportedMediaTypeStatusException.class,
                        refusal -> answer(
                                response,
                                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                                Refusal.ofType(
                                        exchange.getRequest().getHeaders().getContentType())))
                .onErrorResume(
                        ServerWebInputException.class,
                        refusal -> answer(response, HttpStatus.BAD_REQUEST, Refusal.ofBody()))
                .then(Mono.defer(() -> explainedLate(exchange)));
    }

    private Mono<Void> answer(ServerHttpResponse response, MethodNotAllowedException refusal) {
        Set<String> supported = refusal.getSupportedMethods().stream()
                .map(HttpMethod::name)
                .collect(Collectors.toCollection(TreeSet::new));
        response.getHeaders().put(HttpHeaders.ALLOW, List.of(String.join(", ", supported)));
        return answer(
                response,
                HttpStatus.METHOD_NOT_ALLOWED,
                Refusal.ofMethod(refusal.getHttpMethod(), supported, changesAllowed.getAsBoolean()));
    }

    private static Mono<Void> answer(ServerHttpResponse response, HttpStatusCode status, String reason) {
        if (response.isCommitted()) {
            return Mono.empty();
        }
        byte[] body = Refusal.body(reason);
        response.setStatusCode(status);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    /** Spring Security may have refused the request, and may have set only the status of the response. */
    private Mono<Void> explainedLate(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        return isRefusal(exchange) && !response.isCommitted() ? explained(exchange) : Mono.empty();
    }

    private Mono<Void> explained(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        HttpStatusCode status = status(exchange);
        log.refused(
                exchange.getRequest().getMethod().name(),
                exchange.getRequest().getURI().getRawPath(),
                status.value());
        return answer(response, status, Refusal.bySecurity(status.value()));
    }

    private static HttpStatusCode status(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return status == null ? HttpStatus.OK : status;
    }

    private static boolean isRefusal(ServerWebExchange exchange) {
        return Refusal.isBySecurity(status(exchange).value())
                && exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) == null;
    }

    private final class Explained extends ServerHttpResponseDecorator {

        private final ServerWebExchange exchange;

        Explained(ServerWebExchange exchange) {
            super(exchange.getResponse());
            this.exchange = exchange;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return isRefusal(exchange)
                    ? Flux.from(body).doOnNext(DataBufferUtils::release).then(explained(exchange))
                    : super.writeWith(body);
        }

        @Override
        public Mono<Void> setComplete() {
            return isRefusal(exchange) && !isCommitted() ? explained(exchange) : super.setComplete();
        }
    }
}
