package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a shop promised, it keeps after {@code kill -9}. */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class RestartTest {

    @TempDir
    private Path directory;

    @Test
    void unpaidOrder_isCancelledAfterACrash() throws Exception {
        Order unpaid;
        Order paid;
        try (RunningShop running = RunningShop.start(directory, "--shop.payment-window=3s")) {
            ShopClient shop = running.enter();
            paid = shop.pay(shop.place());
            unpaid = shop.place();
            running.kill();
        }
        try (RunningShop again = RunningShop.start(directory, "--shop.payment-window=1h")) {
            ShopClient shop = again.enter();

            Order cancelled = shop.awaitEnd(unpaid);

            assertThat(cancelled.status()).isEqualTo(Order.Status.CANCELLED);
            assertThat(cancelled.endedAt()).isAfterOrEqualTo(unpaid.payBy());
            assertThat(shop.find(paid)).isEqualTo(paid);
            assertThat(shop.place().id()).as("no id is left out").isEqualTo(unpaid.id() + 1);

            URI dashboard = again.dashboard();
            assertThat(dashboard.getPort()).isEqualTo(again.port());
            shop.get(dashboard.getPath()).expectStatus().isOk();
        }
    }
}
