package shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.redis.TestRedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The shop with its jobs in Redis keeps what it promised after {@code kill -9}. The line of the guide says how it is
 * started there. Only the port of the server is another one.
 */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class ShopOnRedisTest {

    private static final String START = "./mvnw -q -pl delayjob-samples -am spring-boot:run";

    private static final Pattern LINE =
            Pattern.compile("^\\$ ((?:[A-Z_]+=\\S+ )+)" + Pattern.quote(START) + "$", Pattern.MULTILINE);

    @TempDir
    private Path directory;

    private final TestRedisServer redis = TestRedisServer.start("--appendonly", "yes");

    @AfterEach
    void stop() {
        redis.close();
    }

    /** Returns the variables that the line sets before the command that starts the shop. */
    private static Map<String, String> documentedVariables() throws IOException {
        List<String> lines = LINE.matcher(Files.readString(Path.of("../docs/redis.md")))
                .results()
                .map(line -> line.group(1))
                .toList();
        assertThat(lines).as("lines of docs/redis.md that start the shop").hasSize(1);
        assertThat(Path.of("../README.md")).content().contains(lines.get(0) + START);
        return Arrays.stream(lines.get(0).strip().split(" "))
                .map(variable -> variable.split("=", 2))
                .collect(Collectors.toMap(variable -> variable[0], variable -> variable[1]));
    }

    private RunningShop start(String paymentWindow) throws IOException {
        return RunningShop.start(
                directory,
                documentedVariables(),
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
