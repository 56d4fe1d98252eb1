package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.proofs.chaos.EffectsRound.Outcome;
import io.delayjob.proofs.chaos.EffectsRound.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Shows that atomic jobs have their effect exactly once, even if processes die at any moment. If a check fails, the
 * program exits with an error.
 *
 * <pre>
 *   --jobs=10000 --rate=90 --kills=60 --workers=3 --seed=1 --directory=target/effects
 * </pre>
 */
final class EffectsRun {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private EffectsRun() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(arguments);
        long seed = options.number("seed", 1);
        Setup setup = new Setup(
                seed,
                Mutant.NONE,
                options.number("jobs", 10_000),
                options.number("rate", 90),
                options.number("kills", 60),
                options.number("workers", 3),
                PATIENCE);
        Path files = Files.createDirectories(Path.of(options.text("directory", "target/effects"))
                .resolve("seed-%d-%d".formatted(seed, System.nanoTime())));
        Outcome outcome;
        try (TestPostgresServer server = TestPostgresServer.start(PostgresRoundServer.SETTINGS)) {
            outcome = new EffectsRound(server, files, setup).run();
        }
        System.out.println(outcome);
        if (!outcome.isExact()) {
            throw new IllegalStateException(
                    "The effects did not happen exactly once. Ledgers and logs are in " + files.toAbsolutePath());
        }
    }
}
