package io.delayjob.rest;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * A refusal in the form of RFC 9457.
 *
 * @param type kind of the problem, such as urn:delayjob:not-found
 * @param detail what is wrong, and the next step
 * @param result if the call changed nothing, the name of its result, such as {@code KEY_IN_USE}; {@code null} if there
 *     is no such name
 */
record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String result) implements ApiBody {

    static final Kind UNREADABLE = new Kind("unreadable-request", HttpStatus.BAD_REQUEST);
    static final Kind INVALID_KEY = new Kind("invalid-idempotency-key", HttpStatus.BAD_REQUEST);
    static final Kind UNAUTHENTICATED = new Kind("unauthenticated", HttpStatus.UNAUTHORIZED);
    static final Kind FORBIDDEN = new Kind("forbidden", HttpStatus.FORBIDDEN);
    static final Kind NOT_FOUND = new Kind("not-found", HttpStatus.NOT_FOUND);
    static final Kind METHOD = new Kind("method-not-allowed", HttpStatus.METHOD_NOT_ALLOWED);
    static final Kind NOT_ACCEPTABLE = new Kind("not-acceptable", HttpStatus.NOT_ACCEPTABLE);
    static final String MUST_ALLOW_JSON = "Invalid Accept: must allow application/json.";
    static final Kind KEY_EXISTS = new Kind("key-exists", HttpStatus.CONFLICT);
    static final Kind UNCHANGED = new Kind("unchanged", HttpStatus.CONFLICT);
    static final Kind GROUP_CLOSED = new Kind("group-closed", HttpStatus.CONFLICT);
    static final Kind GROUP_ENDED = new Kind("group-ended", HttpStatus.CONFLICT);
    static final Kind NOT_AWAITED = new Kind("not-awaited", HttpStatus.CONFLICT);
    static final Kind CANCELLED = new Kind("cancelled", HttpStatus.GONE);
    static final Kind TOO_LARGE = new Kind("too-large", HttpStatus.CONTENT_TOO_LARGE);
    static final Kind MEDIA_TYPE = new Kind("unsupported-media-type", HttpStatus.UNSUPPORTED_MEDIA_TYPE);
    static final Kind INVALID_ARGUMENTS = new Kind("invalid-arguments", HttpStatus.UNPROCESSABLE_CONTENT);
    static final Kind INVALID_JOB = new Kind("invalid-job", HttpStatus.UNPROCESSABLE_CONTENT);
    static final Kind INVALID_ANSWER = new Kind("invalid-answer", HttpStatus.UNPROCESSABLE_CONTENT);
    static final Kind KEY_REUSED = new Kind("idempotency-key-reused", HttpStatus.UNPROCESSABLE_CONTENT);
    static final Kind UNAVAILABLE = new Kind("store-unavailable", HttpStatus.SERVICE_UNAVAILABLE);
    static final Kind INTERNAL = new Kind("internal", HttpStatus.INTERNAL_SERVER_ERROR);

    /** Maximum length in characters. The length is limited, because a detail may quote text of the caller. */
    private static final int MAX_DETAIL = 1_000;

    record Kind(String name, HttpStatus status) {

        Refusal of(@Nullable String detail) {
            return new Refusal(problem(detail, null));
        }

        Refusal of(String detail, Enum<?> result) {
            return new Refusal(problem(detail, result.name()));
        }

        Problem problem(@Nullable String detail, @Nullable String result) {
            String sentence = detail == null ? status.getReasonPhrase() : detail;
            return new Problem(
                    "urn:delayjob:" + name,
                    status.getReasonPhrase(),
                    status.value(),
                    sentence.length() > MAX_DETAIL ? sentence.substring(0, MAX_DETAIL) + "…" : sentence,
                    result);
        }
    }

    ResponseEntity<ApiBody> response(HttpHeaders headers) {
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(this);
    }

    static final class Refusal extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final transient Problem problem;

        private Refusal(Problem problem) {
            super(problem.detail(), null, false, false);
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }
}
