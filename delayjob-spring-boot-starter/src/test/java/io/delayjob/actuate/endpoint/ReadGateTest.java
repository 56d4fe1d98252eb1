package io.delayjob.actuate.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadGateTest {

    private final ExecutorService viewers = Executors.newCachedThreadPool();
    private final ReadGate gate = new ReadGate(Duration.ofMillis(10));

    @AfterEach
    void stop() {
        viewers.shutdownNow();
    }

    @Test
    void readsBeyondTwoAtATime_areRefused_untilOneHasEnded() throws Exception {
        CountDownLatch underWay = new CountDownLatch(ReadGate.AT_A_TIME);
        CountDownLatch end = new CountDownLatch(1);
        List<CompletableFuture<String>> reads = new ArrayList<>();
        for (int i = 0; i < ReadGate.AT_A_TIME; i++) {
            reads.add(CompletableFuture.supplyAsync(
                    () -> gate.read(() -> {
                        underWay.countDown();
                        return await(end);
                    }),
                    viewers));
        }
        assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> gate.read(() -> "third")).isInstanceOf(TooManyReadsException.class);
        end.countDown();
        for (CompletableFuture<String> read : reads) {
            assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo("read");
        }
        assertThat(gate.read(() -> "next")).isEqualTo("next");
    }

    @Test
    void readBeyondTwo_waitsForItsTurn() throws Exception {
        ReadGate patient = new ReadGate(Duration.ofSeconds(30));
        CountDownLatch underWay = new CountDownLatch(ReadGate.AT_A_TIME);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < ReadGate.AT_A_TIME; i++) {
            viewers.execute(() -> patient.read(() -> {
                underWay.countDown();
                return await(end);
            }));
        }
        assertThat(underWay.await(30, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<String> third = new CompletableFuture<>();
        Thread waiting = new Thread(() -> third.complete(patient.read(() -> "third")));
        waiting.start();
        while (waiting.isAlive() && waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(third).isNotDone();
        end.countDown();

        assertThat(third.get(30, TimeUnit.SECONDS)).isEqualTo("third");
    }

    @Test
    void threadThatIsInterrupted_getsNoTurn_andKeepsItsMark() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> gate.read(() -> "read")).isInstanceOf(TooManyReadsException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void readThatFails_givesItsPlaceBack() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> gate.read(() -> {
                        throw new IllegalStateException("away");
                    }))
                    .hasMessage("away");
        }
    }

    private static String await(CountDownLatch end) {
        try {
            assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
            return "read";
        } catch (InterruptedException asked) {
            throw new IllegalStateException(asked);
        }
    }
}
