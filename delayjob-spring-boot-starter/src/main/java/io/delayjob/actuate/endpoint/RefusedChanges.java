package io.delayjob.actuate.endpoint;

import io.delayjob.job.Printable;
import io.delayjob.time.EngineClock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.HandlerMapping;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reports requests for changes that security has refused before they reached the endpoint. It logs them, and gives
 * their clients a reason. Otherwise the client would get the application's error page, which security may refuse, too.
 * Then a right password without a CSRF token would be answered by 401 and an empty body. It stands outside of security,
 * decides nothing, and changes no status that security gave. Thread-safe.
 */
final class RefusedChanges extends HttpFilter implements Ordered {

    private static final long serialVersionUID = 1;

    private static final Logger log = LoggerFactory.getLogger(RefusedChanges.class);

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final String UNAUTHORIZED = "the user or the password is missing or wrong";

    private static final String FORBIDDEN =
            "the user's role does not allow it, or Spring Security's CSRF protection found no token in it";

    private static final String WITH_TOKEN =
            "Sign in with a session, and send the token that GET …/delayjobs/ui/session"
                    + " of the dashboard answers, in its header; or ask for a rule for clients without a session.";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

    private final transient EndpointPath path;
    private final transient EngineClock clock;
    /** Time from which the log may be written again, on the monotonic clock. */
    private final AtomicLong quietUntilNanos;

    RefusedChanges(EndpointPath path, EngineClock clock) {
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
        if (READING.contains(request.getMethod()) || !path.isOf(request)) {
            chain.doFilter(request, response);
            return;
        }
        chain.doFilter(request, new Explained(request, response));
        if (isRefusal(response.getStatus()) && !hasReached(request) && mayLog()) {
            log.warn(
                    "{} {} was refused with {} before it reached delayjob's endpoint: {}. See 'Behind Spring Security' in docs/operations.md for a configuration. This is said once a minute at most.",
                    Printable.of(request.getMethod()),
                    Printable.of(request.getRequestURI()),
                    response.getStatus(),
                    response.getStatus() == HttpServletResponse.SC_FORBIDDEN ? FORBIDDEN : UNAUTHORIZED);
        }
    }

    private static boolean hasReached(HttpServletRequest request) {
        return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) != null;
    }

    private static boolean isRefusal(int status) {
        return status == HttpServletResponse.SC_UNAUTHORIZED || status == HttpServletResponse.SC_FORBIDDEN;
    }

    private boolean mayLog() {
        long now = clock.nanoTime();
        long quietUntil = quietUntilNanos.get();
        return now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + PAUSE_NANOS);
    }

    /** Answers a refusal with its reason, in place of the error page. */
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
            if (!isRefusal(status) || hasReached(request) || isCommitted()) {
                return false;
            }
            String reason = status == SC_FORBIDDEN
                    ? "Spring Security refused it: %s. %s".formatted(FORBIDDEN, WITH_TOKEN)
                    : "Spring Security refused it: %s.".formatted(UNAUTHORIZED);
            resetBuffer();
            setStatus(status);
            setContentType(MediaType.APPLICATION_JSON_VALUE);
            getOutputStream().write(JSON.writeValueAsBytes(new ErrorDescriptor(reason)));
            flushBuffer();
            return true;
        }
    }
}
