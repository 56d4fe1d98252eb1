package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redis.TestRedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The shop with its jobs in Redis, as the README starts it, keeps what it promised after {@code kill -9}. */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class ShopOnRedisTest {

    @TempDir
    private Path directory;

    private final TestRedisServer redis = TestRedisServer.start("--appendonly", "yes");

    @AfterEach
    void stop() {
        redis.close();
    }

    private RunningShop start(String paymentWindow) throws Exception {
        return RunningShop.start(
                directory,
                "--delayjob.store=redis",
                "--spring.data.redis.port=" + redis.port(),
                "--shop.payment-window=" + paymentWindow);
    }

    @Test
    void unpaidOrder_isCancelledAfterACrash_andAPaidOneIsNot() throws Exception {
        Order unpaid;
        Order paid;
        try (RunningShop running = start("3s")) {
            ShopClient shop = running.enter();
            paid = shop.pay(shop.place());
            unpaid = shop.place();
            running.kill();
        }
        try (RunningShop again = start("1h")) {
            ShopClient shop = again.enter();

            Order cancelled = shop.awaitEnd(unpaid);

            assertThat(cancelled.status()).isEqualTo(Order.Status.CANCELLED);
            assertThat(cancelled.endedAt()).isAfterOrEqualTo(unpaid.payBy());
            assertThat(shop.find(paid)).isEqualTo(paid);
            shop.get("/actuator/delayjobs/jobs?name=cancel-unpaid-order")
                    .expectStatus()
                    .isOk()
                    .expectBody()
                    .jsonPath("$.jobs[0].name")
                    .isEqualTo("cancel-unpaid-order");
            shop.get("/actuator/health").expectStatus().isOk();
        }
    }
}
