package io.delayjob.dashboard;

import java.net.URI;
import java.security.Principal;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** Serves the dashboard over Spring WebFlux. */
final class WebFluxDashboard implements WebHandler {

    /** Named by a string, because Spring Security may be absent. */
    private static final String CSRF = "org.springframework.security.web.server.csrf.CsrfToken";

    private static final boolean SECURED = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", WebFluxDashboard.class.getClassLoader());

    private final Dashboard dashboard;
    private final String root;

    /** @param root the endpoint's path, below the application's path */
    WebFluxDashboard(Dashboard dashboard, String root) {
        this.dashboard = dashboard;
        this.root = root;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        ServerHttpResponse response = exchange.getResponse();
        HttpHeaders headers = response.getHeaders();
        if (request.getMethod() != HttpMethod.GET && request.getMethod() != HttpMethod.HEAD) {
            headers.set(HttpHeaders.ALLOW, "GET, HEAD");
            return end(response, HttpStatus.METHOD_NOT_ALLOWED);
        }
        PageFile.HEADERS.forEach(headers::set);
        String asked = request.getPath().pathWithinApplication().value().substring(root.length());
        if (asked.equals(Dashboard.PATH)) {
            headers.setLocation(URI.create(Dashboard.DOCUMENT.substring(1)));
            return end(response, HttpStatus.FOUND);
        }
        String name = asked.substring(Dashboard.DOCUMENT.length());
        PageFile file = dashboard.file(name);
        if (name.equals(Dashboard.SESSION)) {
            headers.setCacheControl(PageFile.NO_STORE);
            return session(exchange).flatMap(session -> write(response, MediaType.APPLICATION_JSON_VALUE, session));
        }
        if (file == null) {
            return end(response, HttpStatus.NOT_FOUND);
        }
        headers.setETag(file.tag());
        return file.isKnownBy(request.getHeaders().getFirst(HttpHeaders.IF_NONE_MATCH))
                ? end(response, HttpStatus.NOT_MODIFIED)
                : write(response, file.type(), file.content());
    }

    private Mono<byte[]> session(ServerWebExchange exchange) {
        Object attribute = exchange.getAttribute(CSRF);
        Mono<Optional<Session.Token>> token =
                (attribute == null ? Mono.<Session.Token>empty() : Csrf.of(attribute)).singleOptional();
        Mono<Optional<Principal>> caller = exchange.getPrincipal().singleOptional();
        return Mono.zip(caller, token)
                .map(both -> dashboard.session(
                        both.getT1().orElse(null),
                        role -> SECURED
                                && both.getT1()
                                        .filter(who -> Roles.has(who, role))
                                        .isPresent(),
                        both.getT2().orElse(null)));
    }

    private static Mono<Void> write(ServerHttpResponse response, String type, byte[] body) {
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, type);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private static Mono<Void> end(ServerHttpResponse response, HttpStatus status) {
        response.setStatusCode(status);
        return response.setComplete();
    }

    /** Loaded only if a CSRF token exists, because Spring Security may be absent. */
    private static final class Csrf {

        static Mono<Session.Token> of(Object attribute) {
            return ((Mono<?>) attribute)
                    .cast(CsrfToken.class)
                    .map(token -> new Session.Token(token.getHeaderName(), token.getToken()));
        }
    }

    /** Loaded only if Spring Security is present. */
    private static final class Roles {

        private static final String PREFIX = "ROLE_";

        /** A role is an authority with a prefix, as in Spring MVC and in the endpoint. */
        static boolean has(Principal caller, String role) {
            String wanted = role.startsWith(PREFIX) ? role : PREFIX + role;
            return caller instanceof Authentication user
                    && user.getAuthorities().stream()
                            .map(authority -> String.valueOf(authority.getAuthority()))
                            .anyMatch(wanted::equals);
        }
    }
}
