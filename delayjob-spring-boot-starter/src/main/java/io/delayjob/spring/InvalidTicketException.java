package io.delayjob.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Thrown if a text is not a ticket of this application. In a Spring MVC controller, the response is 404. */
@ResponseStatus(HttpStatus.NOT_FOUND)
public final class InvalidTicketException extends RuntimeException {

    private static final long serialVersionUID = 1;

    InvalidTicketException() {
        super("Invalid ticket: must be a text that AnswerTickets.write of this application has returned.");
    }
}
