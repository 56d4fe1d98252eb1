package io.delayjob.actuate.endpoint;

import io.delayjob.job.Printable;
import io.delayjob.time.EngineClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** The responses to requests that are refused before they reach the endpoint, for Spring MVC and Spring WebFlux. */
final class Refusal {

    static final int UNAUTHORIZED = 401;

    static final int FORBIDDEN = 403;

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final String NO_USER = "the user or the password is missing or wrong";

    private static final String NO_RIGHT =
            "the user's role does not allow the change, or the request lacks the token of Spring "
                    + "Security's CSRF protection";

    private static final String WITH_TOKEN =
            "Sign in with a session, get the token from GET …/delayjobs/ui/session of the dashboard, and "
                    + "send it in the header that this answer names. Or ask for a rule for clients without a "
                    + "session.";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Refusal() {}

    static boolean isChange(String method) {
        return !READING.contains(method);
    }

    static boolean isBySecurity(int status) {
        return status == UNAUTHORIZED || status == FORBIDDEN;
    }

    static String bySecurity(int status) {
        return status == FORBIDDEN
                ? "Spring Security refused the request: %s. %s".formatted(NO_RIGHT, WITH_TOKEN)
                : "Spring Security refused the request: %s.".formatted(NO_USER);
    }

    static String ofMethod(String method, Collection<String> supported, boolean changesAllowed) {
        return changesAllowed
                ? "%s is not allowed here: use %s.".formatted(method, String.join(", ", supported))
                : "%s is not allowed here, because the endpoint is read-only by default. To allow changes, set management.endpoint.delayjobs.access=unrestricted."
                        .formatted(method);
    }

    static String ofType(@Nullable Object contentType) {
        return "Invalid body of type %s: must be JSON; send it with the header Content-Type: application/json."
                .formatted(contentType);
    }

    static String ofBody() {
        return "The body is not a JSON object: send a JSON object such as {\"action\":\"run\"}.";
    }

    static byte[] body(String reason) {
        return JSON.writeValueAsBytes(new ErrorDescriptor(reason));
    }

    /** Logs at most one line a minute. Thread-safe. */
    static final class Log {

        private static final Logger log = LoggerFactory.getLogger(Refusal.class);

        private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

        private final EngineClock clock;

        private final AtomicLong quietUntilNanos;

        Log(EngineClock clock) {
            this.clock = clock;
            this.quietUntilNanos = new AtomicLong(clock.nanoTime());
        }

        void refused(String method, String uri, int status) {
            if (mayLog()) {
                log.warn(
                        "The request {} {} was refused with status {} before it reached delayjob's "
                                + "endpoint. The reason: {}. See 'Behind Spring Security' in docs/operations.md for a "
                                + "configuration. delayjob logs this message at most once a minute.",
                        Printable.of(method),
                        Printable.of(uri),
                        status,
                        status == FORBIDDEN ? NO_RIGHT : NO_USER);
            }
        }

        private boolean mayLog() {
            long now = clock.nanoTime();
            long quietUntil = quietUntilNanos.get();
            return now - quietUntil >= 0 && quietUntilNanos.compareAndSet(quietUntil, now + PAUSE_NANOS);
        }
    }
}
