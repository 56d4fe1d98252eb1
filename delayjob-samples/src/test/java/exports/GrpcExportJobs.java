package exports;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;

import exports.v1.ExportsGrpc.ExportsBlockingStub;
import exports.v1.StartRequest;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.Next;
import io.delayjob.spring.AnswerTickets;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.springframework.stereotype.Component;

@Component
class GrpcExportJobs {

    private final ExportsBlockingStub exports;
    private final AnswerTickets tickets;

    GrpcExportJobs(ExportsBlockingStub exports, AnswerTickets tickets) {
        this.exports = exports;
        this.tickets = tickets;
    }

    @DelayedJob(name = "export-by-grpc", timeout = "30s")
    Next export(long customerId, JobContext job) {
        StartRequest request = StartRequest.newBuilder()
                .setCustomerId(customerId)
                .setId(job.id() + ":" + job.run())
                .setTicket(tickets.write(job.ticket()))
                .build();
        try {
            exports.withDeadlineAfter(ofSeconds(10)).start(request);
        } catch (StatusRuntimeException refused) {
            if (refused.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                return Next.snooze(ofSeconds(1));
            }
            throw refused;
        }
        return Next.awaitAnswer(ofHours(6));
    }
}
