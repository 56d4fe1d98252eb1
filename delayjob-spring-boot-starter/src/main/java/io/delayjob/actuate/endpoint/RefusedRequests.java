package io.delayjob.actuate.endpoint;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Spring MVC refuses some requests before they reach the endpoint. This class tells the client the reason. */
final class RefusedRequests implements HandlerExceptionResolver, Ordered {

    private final EndpointPath path;
    private final BooleanSupplier changesAllowed;

    RefusedRequests(EndpointPath path, BooleanSupplier changesAllowed) {
        this.path = path;
        this.changesAllowed = changesAllowed;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception refusal) {
        if (!path.isOf(request)) {
            return null;
        }
        if (refusal instanceof HttpRequestMethodNotSupportedException method) {
            return answer(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, reason(method, response));
        }
        if (refusal instanceof HttpMediaTypeNotSupportedException type) {
            return answer(
                    response, HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, Refusal.ofType(type.getContentType()));
        }
        if (refusal instanceof HttpMessageNotReadableException) {
            return answer(response, HttpServletResponse.SC_BAD_REQUEST, Refusal.ofBody());
        }
        return null;
    }

    private String reason(HttpRequestMethodNotSupportedException refusal, HttpServletResponse response) {
        String[] supported = refusal.getSupportedMethods();
        Set<String> methods = supported == null ? Set.of() : new TreeSet<>(Set.of(supported));
        if (!methods.isEmpty()) {
            response.setHeader(HttpHeaders.ALLOW, String.join(", ", methods));
        }
        return Refusal.ofMethod(refusal.getMethod(), methods, changesAllowed.getAsBoolean());
    }

    private static ModelAndView answer(HttpServletResponse response, int status, String reason) {
        response.setStatus(status);
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        try {
            response.getOutputStream().write(Refusal.body(reason));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        return new ModelAndView();
    }
}
