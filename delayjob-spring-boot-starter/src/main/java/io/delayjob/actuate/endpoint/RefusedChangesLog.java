package io.delayjob.actuate.endpoint;

import io.delayjob.job.Printable;
import io.delayjob.time.EngineClock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Logs requests for changes that security has refused before they reached the endpoint. Their client gets only a status
 * and an empty body, even if the password is right and only the CSRF token is missing. The filter runs before security,
 * decides nothing, and changes no answer. Thread-safe.
 */
final class RefusedChangesLog extends HttpFilter implements Ordered {

    private static final long serialVersionUID = 1;

    private static final Logger log = LoggerFactory.getLogger(RefusedChangesLog.class);

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final String UNAUTHORIZED = "the user or the password is missing or wrong";

    /** The reason after 403. Security may also refuse the error page of that refusal, with 401. */
    private static final String FORBIDDEN =
            "the user's role does not allow it, or Spring Security's CSRF protection found no token in it; the client may see 401 instead of 403";

    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final transient EndpointPath path;
    private final transient EngineClock clock;
    /** Earliest time for the next log line, on the monotonic clock. */
    private final AtomicLong quietUntilNanos;

    RefusedChangesLog(EndpointPath path, EngineClock clock) {
        this.path = path;
        this.clock = clock;
        this.quietUntilNanos = new AtomicLong(clock.nanoTime());
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        if (isRefusal(response.getStatus())
                && !READING.contains(request.getMethod())
                && request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) == null
                && path.isOf(request)
                && mayLog()) {
            log.warn(
                    "{} {} was refused with {} before it reached delayjob's endpoint: {}. See 'Behind Spring Security' in docs/operations.md for a configuration. This warning appears at most once a minute.",
                    Printable.of(request.getMethod()),
                    Printable.of(request.getRequestURI()),
                    response.getStatus(),
                    response.getStatus() == HttpServletResponse.SC_FORBIDDEN ? FORBIDDEN : UNAUTHORIZED);
        }
    }

    private static boolean isRefusal(int status) {
        return status == HttpServletResponse.SC_UNAUTHORIZED || status == HttpServletResponse.SC_FORBIDDEN;
    }

    private boolean mayLog() {
        long now = clock.nanoTime();
        long quietUntil = quietUntilNanos.get();
        return now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + PAUSE_NANOS);
    }
}
