package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.annotation.DelayedJob;
import io.delayjob.event.JobListener;
import io.delayjob.job.Partition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A shop that closes lets its handlers end before it locks the door. */
class ShutdownTest {

    @Test
    void handlerThatIsUnderWay_stillReachesTheWebServer() throws Exception {
        ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class, LastCustomer.class)
                .run("--server.port=0", "--server.shutdown=graceful", "--spring.datasource.url=jdbc:h2:mem:shutdown");
        LastCustomer customer = shop.getBean(LastCustomer.class);
        try (shop) {
            customer.port = ((WebServerApplicationContext) shop).getWebServer().getPort();
            shop.getBean(DelayJobOperations.class).schedule(LastCustomer::shop).now();
            assertThat(customer.entered.await(ShopClient.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }

        assertThat(customer.order).isCompleted();
    }

    static class LastCustomer implements JobListener {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final CompletableFuture<Order> order = new CompletableFuture<>();
        private volatile int port;

        @DelayedJob("last-customer")
        void shop() throws InterruptedException {
            entered.countDown();
            closing.await();
            try {
                order.complete(new ShopClient(port).place());
            } catch (Throwable closed) {
                order.completeExceptionally(closed);
            }
        }

        /** The engine's stop begins with this. */
        @Override
        public void leaseEnded(Partition partition, String reason) {
            if (reason.equals("stopping")) {
                closing.countDown();
            }
        }
    }
}
