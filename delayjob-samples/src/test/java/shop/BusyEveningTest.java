package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** What a newcomer sees of a busy evening, within a minute. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"shop.payment-window=60s", "spring.datasource.url=jdbc:h2:mem:evening"})
class BusyEveningTest {

    private static final int ORDERS = 100;

    private static final int PAID = 4;

    @LocalServerPort
    private int port;

    @Test
    void busyEvening_fillsTheWheelTheTimetableAndTheFailures() {
        ShopClient shop = new ShopClient(port);
        shop.post("/evening?orders=" + ORDERS).expectStatus().isAccepted();

        assertThat(shop.list().stream().filter(order -> order.status() == Order.Status.PLACED))
                .isNotEmpty();
        JsonNode due = json(shop, "/actuator/delayjobs/due?width=10s&buckets=96");
        assertThat(sumDue(due, "cancel-unpaid-order")).isEqualTo(ORDERS - PAID);
        assertThat(sumDue(due, "send-webhook")).isGreaterThanOrEqualTo(ORDERS);
        assertThat(json(shop, "/actuator/delayjobs/wheel").toString()).contains("timers");
        await().atMost(ShopClient.PATIENCE).untilAsserted(() -> {
            JsonNode groups = json(shop, "/actuator/delayjobs/failures?since=2020-01-01T00:00:00Z")
                    .get("groups");
            assertThat(groups).hasSize(1);
            assertThat(groups.get(0).get("name").asString()).isEqualTo("send-webhook");
            assertThat(groups.get(0).get("count").asInt()).isEqualTo(PAID);
            assertThat(groups.get(0).get("error").asString()).endsWith("ServiceUnavailable");
        });
        shop.post("/evening?orders=0").expectStatus().isBadRequest();
    }

    private static int sumDue(JsonNode due, String handler) {
        int sum = 0;
        for (JsonNode one : due.get("handlers")) {
            if (one.get("name").asString().equals(handler)) {
                for (JsonNode bucket : one.get("due")) {
                    sum += bucket.asInt();
                }
            }
        }
        return sum;
    }

    private static JsonNode json(ShopClient shop, String path) {
        return Objects.requireNonNull(shop.get(path)
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
    }
}
