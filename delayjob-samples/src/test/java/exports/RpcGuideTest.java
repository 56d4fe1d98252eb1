package exports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import exports.v1.ExportAnswersGrpc;
import exports.v1.ExportAnswersGrpc.ExportAnswersBlockingStub;
import exports.v1.ReportRequest;
import io.delayjob.DelayJobOperations;
import io.delayjob.job.CancelResult;
import io.delayjob.job.Job;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/** The code of docs/rpc.md runs, with another service that answers later, over HTTP and by gRPC. */
@SpringBootTest(
        classes = ExportApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:exports",
            "delayjob.answers.secret=whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz",
            "delayjob.retry.delay=50ms"
        })
class RpcGuideTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^`([\\w.]+)`:\n```\\w+\n(.*?)^```$");

    private static Exporter exporter;
    private static Server exporterByGrpc;

    @Autowired
    private DelayJobOperations jobs;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void exporter(DynamicPropertyRegistry properties) throws IOException {
        exporter = new Exporter();
        exporterByGrpc = ServerBuilder.forPort(0).addService(exporter).build().start();
        properties.add("spring.http.serviceclient.exports.base-url", () -> "http://localhost:" + exporter.port());
        properties.add("exports.grpc.target", () -> "localhost:" + exporterByGrpc.getPort());
    }

    @AfterAll
    static void close() {
        exporter.close();
        exporterByGrpc.shutdownNow();
    }

    @BeforeEach
    void forget() {
        exporter.atOnce = order -> {};
    }

    @Test
    void page_showsTheCodeThatRuns() throws IOException {
        String page = Files.readString(Path.of("../docs/rpc.md"));

        assertThat(BLOCK.matcher(page).results().toList())
                .hasSize(8)
                .allSatisfy(
                        block -> assertThat(block.group(2)).as(block.group(1)).isEqualTo(source(block)));
    }

    private static String source(MatchResult block) throws IOException {
        String name = block.group(1);
        Path file = Path.of("src/test", name.endsWith(".proto") ? "protobuf" : "java/exports", name);
        return Files.readString(file).replace("package exports;\n\n", "");
    }

    @Test
    void callOverHttp_awaitsItsAnswer_andIsDoneWithIt() throws InterruptedException {
        JobId id = schedule("export");

        Exports.Order order = exporter.take();

        assertThat(order.customerId()).isEqualTo(42);
        assertThat(order.id()).isEqualTo(id + ":1");
        awaitJob(id, job -> job.state() == JobState.AWAITING);
        assertThat(report(order, null)).isEqualTo("TAKEN");
        assertThat(awaitJob(id, job -> job.state() == JobState.FINISHED).attempt())
                .isEqualTo(1);
        assertThat(report(order, null)).as("once more").isEqualTo("NOT_AWAITED");
    }

    @Test
    void answerBeforeTheCallHasReturned_counts() throws InterruptedException {
        exporter.atOnce = order -> assertThat(report(order, null)).isEqualTo("TAKEN");
        JobId id = schedule("export");

        exporter.take();

        assertThat(awaitJob(id, job -> job.state() == JobState.FINISHED).attempt())
                .isEqualTo(1);
    }

    @Test
    void failedExport_isOrderedAgainUnderTheSameId() throws InterruptedException {
        JobId id = schedule("export");
        Exports.Order first = exporter.take();
        awaitJob(id, Job::awaiting);
        assertThat(report(first, "The disk is full.")).isEqualTo("TAKEN");

        Exports.Order second = exporter.take();

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.ticket()).isNotEqualTo(first.ticket());
        assertThat(report(first, null))
                .as("done after all, at the first attempt")
                .isEqualTo("TAKEN");
        awaitJob(id, job -> job.state() == JobState.FINISHED);
        assertThat(report(second, null)).isEqualTo("NOT_AWAITED");
    }

    @Test
    void unavailableService_isCalledAgain_butABadRequestIsNot() throws InterruptedException {
        exporter.refusals.add(503);
        JobId unavailable = schedule("export");
        String refused = exporter.take().id();
        Exports.Order order = exporter.take();
        assertThat(order.id()).isEqualTo(refused);
        report(order, null);
        awaitJob(unavailable, job -> job.state() == JobState.FINISHED);

        exporter.refusals.add(400);
        JobId bad = schedule("export");

        exporter.take();
        assertThat(awaitJob(bad, job -> job.state() == JobState.FAILED).attempt())
                .isEqualTo(1);
    }

    @Test
    void cancelledExport_hearsOfItWithItsAnswer() throws InterruptedException {
        JobId id = schedule("export");
        Exports.Order order = exporter.take();
        awaitJob(id, job -> job.state() == JobState.AWAITING);

        assertThat(jobs.cancel(id)).isEqualTo(CancelResult.CANCELLED_ATTEMPT_MAY_BE_IN_FLIGHT);

        assertThat(report(order, null)).isEqualTo("CANCELLED");
    }

    @Test
    void forgedTicket_isUnknown() {
        Exports.Order forged = new Exports.Order(42, "", "A".repeat(64));

        assertThatThrownBy(() -> report(forged, null)).isInstanceOf(HttpClientErrorException.NotFound.class);
    }

    @Test
    void callByGrpc_isPutOffWhileTheServiceIsExhausted_andAwaitsItsAnswer(@Autowired GrpcExportAnswers answers)
            throws Exception {
        exporter.refusals.add(Status.Code.RESOURCE_EXHAUSTED.value());
        JobId id = schedule("export-by-grpc");
        Exports.Order order = exporter.take();
        assertThat(order.id()).isEqualTo(id + ":1");
        awaitJob(id, job -> job.state() == JobState.AWAITING);

        Server server = ServerBuilder.forPort(0).addService(answers).build().start();
        ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", server.getPort())
                .usePlaintext()
                .build();
        try {
            ExportAnswersBlockingStub application = ExportAnswersGrpc.newBlockingStub(channel);
            assertThat(application.report(ask(order.ticket())).getResult()).isEqualTo("TAKEN");
            assertThat(application.report(ask(order.ticket())).getResult()).isEqualTo("NOT_AWAITED");
            assertThatThrownBy(() -> application.report(ask("forged")))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
        assertThat(awaitJob(id, job -> job.state() == JobState.FINISHED).failures())
                .isZero();
    }

    private static ReportRequest ask(String ticket) {
        return ReportRequest.newBuilder().setTicket(ticket).build();
    }

    private JobId schedule(String name) {
        return jobs.schedule(name).with(Map.of("customerId", 42L)).now().id();
    }

    private Job awaitJob(JobId id, Predicate<Job> state) {
        return await().atMost(Duration.ofSeconds(30)).until(() -> jobs.find(id).orElseThrow(), state);
    }

    private String report(Exports.Order order, String error) {
        return RestClient.create()
                .post()
                .uri("http://localhost:{port}/export-answers/{ticket}", port, order.ticket())
                .contentType(MediaType.APPLICATION_JSON)
                .body(error == null ? "{}" : "{\"error\": \"" + error + "\"}")
                .retrieve()
                .body(String.class)
                .replace("\"", "");
    }
}
