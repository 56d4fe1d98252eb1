package shop;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Visits a shop over HTTP, as its customers and its operators do. */
final class ShopClient {

    /** For what takes seconds at most: a slow machine is no failure. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RestTestClient http;

    ShopClient(int port) {
        http = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    }

    RestTestClient.ResponseSpec get(String path, Object... variables) {
        return http.get().uri(path, variables).exchange();
    }

    RestTestClient.ResponseSpec post(String path, Object... variables) {
        return http.post().uri(path, variables).exchange();
    }

    RestTestClient.ResponseSpec delete(String path, Object... variables) {
        return http.delete().uri(path, variables).exchange();
    }

    Order place() {
        return order(post("/orders").expectStatus().isCreated());
    }

    Order pay(Order order) {
        return order(post("/orders/{id}/pay", order.id()).expectStatus().isOk());
    }

    Order find(Order order) {
        return order(get("/orders/{id}", order.id()).expectStatus().isOk());
    }

    /** The newest orders. */
    List<Order> list() {
        Order[] orders = get("/orders")
                .expectStatus()
                .isOk()
                .expectBody(Order[].class)
                .returnResult()
                .getResponseBody();
        return List.of(Objects.requireNonNull(orders));
    }

    /** The order once it is paid or cancelled. */
    Order awaitEnd(Order order) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> find(order), found -> found.status() != Order.Status.PLACED);
    }

    private static Order order(RestTestClient.ResponseSpec answer) {
        return Objects.requireNonNull(
                answer.expectBody(Order.class).returnResult().getResponseBody());
    }
}
