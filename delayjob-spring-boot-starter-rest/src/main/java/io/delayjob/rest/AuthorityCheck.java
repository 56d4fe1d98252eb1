package io.delayjob.rest;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses callers without the needed authority, before any part of the request's body is read. An application may
 * replace the filter chain of the API, or serve the API's controllers at other paths. So the check depends on neither.
 * Thread-safe.
 */
final class AuthorityCheck implements HandlerInterceptor {

    private final ProblemWriter problems;

    private final RestProperties properties;

    AuthorityCheck(ProblemWriter problems, RestProperties properties) {
        this.problems = problems;
        this.properties = properties;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        Needs needs = handler instanceof HandlerMethod method ? method.getMethodAnnotation(Needs.class) : null;
        Problem problem = needs == null ? null : problem(request, handler, needs);
        if (problem != null) {
            problems.write(problem, response);
        }
        return problem == null;
    }

    private @Nullable Problem problem(HttpServletRequest request, Object handler, Needs needs) {
        Problem refusal = isOpen(handler) ? null : refusal(needs);
        if (refusal != null) {
            return refusal;
        }
        String contentType = request.getContentType();
        if (contentType == null && HttpMethod.POST.matches(request.getMethod())) {
            // Another site can make the browser send a POST without a content type, but with stored credentials.
            return Problem.MEDIA_TYPE.problem(
                    "Missing Content-Type: must be application/json with every POST, even without a body.", null);
        }
        // The limits of the API apply only to JSON, so other types are refused.
        if (contentType != null && !isJson(contentType)) {
            return Problem.MEDIA_TYPE.problem("Invalid Content-Type: must be application/json.", null);
        }
        // Spring would notice the wrong header only after it has carried out the request.
        return allowsJson(request) ? null : Problem.NOT_ACCEPTABLE.problem(Problem.MUST_ALLOW_JSON, null);
    }

    private static boolean allowsJson(HttpServletRequest request) {
        try {
            List<MediaType> allowed =
                    MediaType.parseMediaTypes(Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
            return allowed.isEmpty() || allowed.stream().anyMatch(MediaType.APPLICATION_JSON::isCompatibleWith);
        } catch (InvalidMediaTypeException unreadable) {
            return false;
        }
    }

    /** For an open handler, a ticket in the path is enough, and the caller needs no credentials. */
    private boolean isOpen(Object handler) {
        return properties.openAnswers()
                && handler instanceof HandlerMethod method
                && method.getBeanType() == AnswersController.class;
    }

    private static @Nullable Problem refusal(Needs needs) {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (caller == null || !caller.isAuthenticated() || caller instanceof AnonymousAuthenticationToken) {
            return Problem.UNAUTHENTICATED.problem(
                    "Missing credentials: the API answers only authenticated callers.", null);
        }
        if (!holdsAny(caller, needs.value())) {
            return Problem.FORBIDDEN.problem(
                    "Missing authority: the caller must have %s.".formatted(names(needs.value())), null);
        }
        return null;
    }

    private static boolean holdsAny(Authentication caller, Authority[] needed) {
        return caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .anyMatch(held -> held != null && Arrays.stream(needed).anyMatch(each -> each.isGrantedBy(held)));
    }

    private static String names(Authority[] authorities) {
        return Arrays.stream(authorities).map(Authority::toString).collect(Collectors.joining(" or "));
    }

    private static boolean isJson(String contentType) {
        try {
            return MediaType.APPLICATION_JSON.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
        } catch (InvalidMediaTypeException unreadable) {
            return false;
        }
    }
}
