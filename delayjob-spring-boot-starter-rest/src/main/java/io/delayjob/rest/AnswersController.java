package io.delayjob.rest;

import io.delayjob.DelayJobOperations;
import io.delayjob.job.AnswerResult;
import io.delayjob.job.AnswerTicket;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.spring.InvalidTicketException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Accepts answers from outside by signed tickets. For a caller, a forged ticket and the ticket of a purged job look the
 * same. Thread-safe.
 */
@RestController
@RequestMapping(JobsController.PATH)
final class AnswersController {

    private final DelayJobOperations jobs;
    private final AnswerTickets tickets;

    AnswersController(DelayJobOperations jobs, AnswerTickets tickets) {
        this.jobs = jobs;
        this.tickets = tickets;
    }

    @PostMapping("/answers/{ticket}")
    @Needs(Authority.ANSWER)
    AnsweredJob answer(@PathVariable String ticket, @RequestBody AnswerRequest request) {
        AnswerTicket read = read(ticket);
        AnswerResult result = answer(read, request);
        return switch (result) {
            case TAKEN, ON_COMMIT -> new AnsweredJob(result);
            case CANCELLED ->
                throw Problem.CANCELLED.of(
                        "Job %s is cancelled: the work outside may stop.".formatted(read.job()), result);
            case NOT_AWAITED ->
                throw Problem.NOT_AWAITED.of(
                        ("Job %s does not await this answer: it was already answered, has ended, or the attempt "
                                        + "was given up. Do not send this answer again.")
                                .formatted(read.job()),
                        result);
            case NOT_FOUND -> throw unknown();
        };
    }

    private AnswerResult answer(AnswerTicket ticket, AnswerRequest request) {
        try {
            return jobs.answer(ticket, request.answer());
        } catch (IllegalArgumentException invalid) {
            throw Problem.INVALID_ANSWER.of(invalid.getMessage());
        }
    }

    private AnswerTicket read(String ticket) {
        try {
            return tickets.read(ticket);
        } catch (InvalidTicketException forged) {
            throw unknown();
        }
    }

    private static Problem.Refusal unknown() {
        return Problem.NOT_FOUND.of(
                "Unknown ticket: it is damaged, its job has been purged, or its secret has changed.");
    }
}
