package io.delayjob.actuate.endpoint;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Logs requests for changes that Spring Security refuses, and tells the clients the reason. This filter runs outside of
 * Spring Security, because Spring Security may refuse the error page, too. Thread-safe.
 */
final class RefusedChanges extends HttpFilter implements Ordered {

    private static final long serialVersionUID = 1;

    private final transient EndpointPath path;
    private final transient Refusal.Log log;

    RefusedChanges(EndpointPath path, Refusal.Log log) {
        this.path = path;
        this.log = log;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!Refusal.isChange(request.getMethod()) || !path.isOf(request)) {
            chain.doFilter(request, response);
            return;
        }
        chain.doFilter(request, new Explained(request, response));
        if (Refusal.isBySecurity(response.getStatus()) && !hasReached(request)) {
            log.refused(request.getMethod(), request.getRequestURI(), response.getStatus());
        }
    }

    private static boolean hasReached(HttpServletRequest request) {
        return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) != null;
    }

    private static final class Explained extends HttpServletResponseWrapper {

        private final HttpServletRequest request;

        Explained(HttpServletRequest request, HttpServletResponse response) {
            super(response);
            this.request = request;
        }

        @Override
        public void sendError(int status) throws IOException {
            if (!explains(status)) {
                super.sendError(status);
            }
        }

        @Override
        public void sendError(int status, String message) throws IOException {
            if (!explains(status)) {
                super.sendError(status, message);
            }
        }

        private boolean explains(int status) throws IOException {
            if (!Refusal.isBySecurity(status) || hasReached(request) || isCommitted()) {
                return false;
            }
            resetBuffer();
            setStatus(status);
            setContentType(MediaType.APPLICATION_JSON_VALUE);
            getOutputStream().write(Refusal.body(Refusal.bySecurity(status)));
            flushBuffer();
            return true;
        }
    }
}
