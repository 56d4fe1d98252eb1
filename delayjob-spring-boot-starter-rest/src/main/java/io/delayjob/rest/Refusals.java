package io.delayjob.rest;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.job.GroupClosedException;
import io.delayjob.job.GroupEndedException;
import io.delayjob.job.JobExistsException;
import io.delayjob.job.JobIdTakenException;
import io.delayjob.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Turns exceptions of the API's controllers into problem responses. */
@RestControllerAdvice(
        assignableTypes = {JobsController.class, GroupsController.class, AnswersController.class, OtherPaths.class})
final class Refusals {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    /** Seconds until a caller may try again if the store did not answer. */
    private static final String RETRY_AFTER = "1";

    @ExceptionHandler
    ResponseEntity<ApiBody> refused(Problem.Refusal refusal) {
        return refusal.problem().response(HttpHeaders.EMPTY);
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> exists(JobExistsException exists) {
        return answer(Problem.KEY_EXISTS, exists.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> reused(JobIdTakenException taken) {
        return answer(Problem.KEY_REUSED, taken.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> closed(GroupClosedException closed) {
        return answer(Problem.GROUP_CLOSED, closed.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> ended(GroupEndedException ended) {
        return answer(Problem.GROUP_ENDED, ended.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> tooLong(PayloadTooLongException tooLong) {
        return answer(Problem.TOO_LARGE, tooLong.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> arguments(InvalidPayloadException invalid) {
        return answer(Problem.INVALID_ARGUMENTS, invalid.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> invalid(IllegalArgumentException invalid) {
        return answer(Problem.INVALID_JOB, invalid.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> unreadable(HttpMessageNotReadableException unreadable) {
        return answer(Problem.UNREADABLE, "Unreadable body: must be a JSON object, in UTF-8; send one.");
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> mediaType(HttpMediaTypeNotSupportedException other) {
        return answer(Problem.MEDIA_TYPE, "Invalid Content-Type: must be application/json.");
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> notAcceptable(HttpMediaTypeNotAcceptableException other) {
        return answer(Problem.NOT_ACCEPTABLE, Problem.MUST_ALLOW_JSON);
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> missing(ServletRequestBindingException missing) {
        return answer(Problem.UNREADABLE, missing.getMessage());
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> misfit(MethodArgumentTypeMismatchException misfit) {
        return answer(
                Problem.UNREADABLE,
                "Invalid parameter %s: must be of the type that openapi.json states.".formatted(misfit.getName()));
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> store(StoreException failed) {
        if (!failed.isTransient()) {
            return unexpected(failed);
        }
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
        return Problem.UNAVAILABLE
                .problem("The job store did not answer: repeat the request with the same Idempotency-Key.", null)
                .response(headers);
    }

    @ExceptionHandler
    ResponseEntity<ApiBody> unexpected(Exception failure) {
        log.error(
                "A request to delayjob's REST API failed with an unexpected error. The caller gets the status "
                        + "500.",
                failure);
        return answer(Problem.INTERNAL, "The request failed; the log of the server tells why.");
    }

    private static ResponseEntity<ApiBody> answer(Problem.Kind kind, @Nullable String detail) {
        return kind.problem(detail, null).response(HttpHeaders.EMPTY);
    }
}
