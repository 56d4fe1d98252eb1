package exports;

import static java.time.Duration.ofHours;

import io.delayjob.annotation.DelayedJob;
import io.delayjob.annotation.Retry;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.spring.AnswerTickets;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;

@Component
class ExportJobs {

    private final Exports exports;
    private final AnswerTickets tickets;

    ExportJobs(Exports exports, AnswerTickets tickets) {
        this.exports = exports;
        this.tickets = tickets;
    }

    @DelayedJob(name = "export", timeout = "30s", retry = @Retry(excludes = HttpClientErrorException.BadRequest.class))
    Next export(long customerId, JobContext job) {
        String id = job.id() + ":" + job.run();
        exports.start(new Exports.Order(customerId, id, tickets.write(job.ticket())));
        return Next.awaitAnswer(ofHours(6));
    }
}
