package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import tools.jackson.databind.JsonNode;

/** The shop in real time, over HTTP. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"shop.payment-window=2s", "spring.datasource.url=jdbc:h2:mem:shop"})
class ShopTest {

    private static final Duration WINDOW = Duration.ofSeconds(2);
    /** On an idle machine it is some milliseconds; a build server may be busy. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    @LocalServerPort
    private int port;

    private ShopClient shop;

    @BeforeEach
    void enter() {
        shop = new ShopClient(port);
    }

    @Test
    void unpaidOrder_isCancelledWhenItsTimeIsUp() {
        shop.awaitEnd(shop.place()); // the first one warms up

        Order order = shop.place();
        assertThat(order.status()).isEqualTo(Order.Status.PLACED);
        assertThat(order.endedAt()).isNull();

        Order cancelled = shop.awaitEnd(order);

        assertThat(cancelled.status()).isEqualTo(Order.Status.CANCELLED);
        assertThat(Duration.between(cancelled.placedAt(), cancelled.endedAt()))
                .isBetween(WINDOW, WINDOW.plus(TOLERANCE));
        shop.post("/orders/{id}/pay", order.id())
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("Order %d was cancelled at %s.".formatted(order.id(), cancelled.endedAt()));
    }

    @Test
    void paidOrder_isNeverCancelled() {
        Order paid = placeAndPay();

        assertThat(paid.status()).isEqualTo(Order.Status.PAID);
        assertThat(shop.pay(paid)).as("paying twice").isEqualTo(paid);
        assertThat(jobs(paid, "CANCELLED")).hasSize(1);
        assertThat(shop.awaitEnd(shop.place()).status())
                .as("an order whose time is up later")
                .isEqualTo(Order.Status.CANCELLED);
        assertThat(shop.find(paid)).isEqualTo(paid);
    }

    /** If this machine pauses, the time for the payment is up, and another order is placed. */
    private Order placeAndPay() {
        for (int attempt = 0; attempt < 10; attempt++) {
            Order order = shop.place();
            HttpStatusCode status = shop.post("/orders/{id}/pay", order.id())
                    .expectBody()
                    .returnResult()
                    .getStatus();
            Order found = shop.find(order);
            if (status.is2xxSuccessful()) {
                assertThat(found.status()).isEqualTo(Order.Status.PAID);
                return found;
            }
            assertThat(status).isEqualTo(HttpStatus.CONFLICT);
            assertThat(found.status()).isEqualTo(Order.Status.CANCELLED);
            assertThat(found.endedAt()).as("the end of a cancelled order").isAfterOrEqualTo(found.payBy());
        }
        throw new AssertionError("Each of ten orders was cancelled before it was paid.");
    }

    @Test
    void orders_areListedTheNewestFirst(@Autowired OrderBook orders) {
        // Long enough to be looked at.
        Order first = shop.find(orders.place(Duration.ofMinutes(30)));
        Order second = shop.find(orders.place(Duration.ofMinutes(30)));

        Order paid = shop.pay(first);

        assertThat(shop.list()).startsWith(second, paid);
    }

    @Test
    void unknownOrder_isNotFound() {
        shop.get("/orders/{id}", -1)
                .expectStatus()
                .isNotFound()
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no order -1.");
        shop.post("/orders/{id}/pay", -1).expectStatus().isNotFound();
    }

    @Test
    void operators_seeAWaitingJobAndCanCancelIt(@Autowired OrderBook orders, @Autowired UnpaidOrders unpaidOrders) {
        Order order = orders.place(Duration.ofMinutes(30)); // long enough to be looked at
        unpaidOrders.placed(order.id());

        JsonNode waiting = jobs(order, "DELAYED");
        assertThat(waiting).hasSize(1);
        String id = waiting.get(0).get("id").asString();

        shop.delete("/actuator/delayjobs/jobs/{id}", id)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.result")
                .isEqualTo("CANCELLED");
        assertThat(jobs(order, "DELAYED")).isEmpty();
        assertThat(jobs(order, "CANCELLED")).hasSize(1);
        assertThat(shop.find(order).status())
                .as("the job is cancelled, not the order")
                .isEqualTo(Order.Status.PLACED);
    }

    @Test
    void lateness_isMeasured() {
        shop.awaitEnd(shop.place());

        shop.get("/actuator/metrics/delayjob.lateness")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.measurements[?(@.statistic == 'COUNT')].value")
                .value(count -> assertThat(count).asString().isNotEqualTo("[0.0]"));
    }

    private JsonNode jobs(Order order, String state) {
        return Objects.requireNonNull(shop.get(
                                "/actuator/delayjobs/jobs?name=cancel-unpaid-order&key={key}&state={state}",
                                order.id(),
                                state)
                        .expectStatus()
                        .isOk()
                        .expectBody(JsonNode.class)
                        .returnResult()
                        .getResponseBody())
                .get("jobs");
    }
}
