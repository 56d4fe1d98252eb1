package shop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Simulates another company's slow service. It does not answer during the first two minutes of a busy evening. */
@RestController
class Accountants {

    static final String PATH = "/accountants/receipts";

    private static final Duration CLOSED = Duration.ofMinutes(2);

    private static final Executor SLOWLY = CompletableFuture.delayedExecutor(400, TimeUnit.MILLISECONDS);

    private final Clock clock;
    private volatile Instant openFrom = Instant.EPOCH;

    Accountants(Clock clock) {
        this.clock = clock;
    }

    void eveningBegins() {
        openFrom = clock.instant().plus(CLOSED);
    }

    @PostMapping(PATH)
    CompletableFuture<ResponseEntity<Void>> receive() {
        HttpStatus answer = clock.instant().isBefore(openFrom) ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.NO_CONTENT;
        return CompletableFuture.supplyAsync(() -> ResponseEntity.status(answer).build(), SLOWLY);
    }
}
