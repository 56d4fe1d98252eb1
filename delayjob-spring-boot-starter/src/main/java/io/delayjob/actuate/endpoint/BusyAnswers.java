package io.delayjob.actuate.endpoint;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.springframework.http.HttpHeaders;

/** Tells clients of the endpoint when to ask again, in an HTTP header. Thread-safe. */
final class BusyAnswers extends HttpFilter {

    private static final long serialVersionUID = 1;

    private final transient EndpointPath path;

    BusyAnswers(EndpointPath path) {
        this.path = path;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, path.isOf(request) ? new WithRetryAfter(response) : response);
    }

    private static final class WithRetryAfter extends HttpServletResponseWrapper {

        WithRetryAfter(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void setStatus(int status) {
            super.setStatus(status);
            if (status == SC_SERVICE_UNAVAILABLE) {
                setHeader(HttpHeaders.RETRY_AFTER, TooManyReadsException.RETRY_AFTER);
            }
        }
    }
}
