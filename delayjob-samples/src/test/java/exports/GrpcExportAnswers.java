package exports;

import exports.v1.ExportAnswersGrpc.ExportAnswersImplBase;
import exports.v1.ReportReply;
import exports.v1.ReportRequest;
import io.delayjob.DelayJobOperations;
import io.delayjob.handler.Answer;
import io.delayjob.job.AnswerResult;
import io.delayjob.spring.AnswerTickets;
import io.delayjob.spring.InvalidTicketException;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.springframework.stereotype.Component;

@Component
class GrpcExportAnswers extends ExportAnswersImplBase {

    private final DelayJobOperations jobs;
    private final AnswerTickets tickets;

    GrpcExportAnswers(DelayJobOperations jobs, AnswerTickets tickets) {
        this.jobs = jobs;
        this.tickets = tickets;
    }

    @Override
    public void report(ReportRequest request, StreamObserver<ReportReply> replies) {
        Answer answer = request.getError().isEmpty() ? Answer.done() : Answer.failed(request.getError());
        try {
            AnswerResult result = jobs.answer(tickets.read(request.getTicket()), answer);
            replies.onNext(ReportReply.newBuilder().setResult(result.name()).build());
            replies.onCompleted();
        } catch (InvalidTicketException forged) {
            replies.onError(
                    Status.NOT_FOUND.withDescription(forged.getMessage()).asRuntimeException());
        }
    }
}
