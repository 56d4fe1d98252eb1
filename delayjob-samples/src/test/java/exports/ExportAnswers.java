package exports;

import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.spring.AnswerTickets;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ExportAnswers {

    private final DelayJobOperations jobs;
    private final AnswerTickets tickets;

    ExportAnswers(DelayJobOperations jobs, AnswerTickets tickets) {
        this.jobs = jobs;
        this.tickets = tickets;
    }

    @PostMapping("/export-answers/{ticket}")
    AnswerResult report(@PathVariable String ticket, @RequestBody Report report) {
        Answer answer = report.error() == null ? Answer.done() : Answer.failed(report.error());
        return jobs.answer(tickets.read(ticket), answer);
    }

    record Report(@Nullable String error) {}
}
