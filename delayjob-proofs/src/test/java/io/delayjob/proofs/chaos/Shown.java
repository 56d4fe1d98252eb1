package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A round that has violated nothing. */
record Shown(Account account, Figures figures) {

    /** Runs a round, prints its figures, and fails if it has violated anything. */
    static Shown by(Round.Setup setup, Supplier<Account> round) {
        long began = System.nanoTime();
        Account account = round.get();
        Map<Check, List<String>> violations = Check.violationsIn(account);
        Figures figures = Figures.of(account, began);
        System.out.println(Result.of(setup.seed(), Duration.ofNanos(System.nanoTime() - began), figures, violations));
        assertThat(violations)
                .as("with -Ddelayjob.test.seed=%d%n%s", setup.seed(), Rounds.told(violations))
                .isEmpty();
        return new Shown(account, figures);
    }
}
