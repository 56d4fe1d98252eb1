package exports;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import exports.v1.ExportsGrpc;
import exports.v1.StartReply;
import exports.v1.StartRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/** The service that makes the exports. It takes orders over HTTP and by gRPC, and answers when the test says so. */
final class Exporter extends ExportsGrpc.ExportsImplBase implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpServer server;
    private final BlockingQueue<Exports.Order> orders = new LinkedBlockingQueue<>();

    /** What the next calls are refused with, over HTTP or by gRPC. */
    final Queue<Integer> refusals = new ConcurrentLinkedQueue<>();

    /** What is done with an order before its call has returned. */
    volatile Consumer<Exports.Order> atOnce = order -> {};

    Exporter() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/exports", this::start);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Waits for the next order. */
    Exports.Order take() throws InterruptedException {
        Exports.Order order = orders.poll(30, TimeUnit.SECONDS);
        if (order == null) {
            throw new AssertionError("No order came.");
        }
        return order;
    }

    private void start(HttpExchange call) throws IOException {
        Exports.Order order = JSON.readValue(call.getRequestBody().readAllBytes(), Exports.Order.class);
        Integer refusal = refusals.poll();
        atOnce.accept(order);
        call.sendResponseHeaders(refusal == null ? 202 : refusal, -1);
        call.close();
        orders.add(order);
    }

    @Override
    public void start(StartRequest request, StreamObserver<StartReply> replies) {
        Integer refusal = refusals.poll();
        if (refusal != null) {
            replies.onError(Status.fromCodeValue(refusal).asRuntimeException());
            return;
        }
        replies.onNext(StartReply.getDefaultInstance());
        replies.onCompleted();
        orders.add(new Exports.Order(request.getCustomerId(), request.getId(), request.getTicket()));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
