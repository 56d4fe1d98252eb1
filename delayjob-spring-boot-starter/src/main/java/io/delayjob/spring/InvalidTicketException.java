package io.delayjob.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * Thrown for a text that is no ticket of this application: forged, damaged, or signed with a secret that is no longer
 * known. It does not say which. In a Spring MVC controller that lets it pass, the answer is 404.
 */
@ResponseStatus(HttpStatus.NOT_FOUND)
public final class InvalidTicketException extends RuntimeException {

    private static final long serialVersionUID = 1;

    InvalidTicketException() {
        super("Invalid ticket: must be a text that this application has handed out, by AnswerTickets.write.");
    }
}
