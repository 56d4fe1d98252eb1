package io.delayjob.proofs.chaos;

import io.delayjob.jdbc.TestPostgresServer;
import io.delayjob.proofs.chaos.AnswersRound.Setup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Shows that each run of a finished job accepts exactly one answer, even if processes die at any moment. If a check was
 * violated, the program exits with an error.
 *
 * <pre>
 *   --jobs=10000 --rate=90 --kills=60 --workers=2 --seed=1 --directory=target/answers
 * </pre>
 */
final class AnswersRun {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private AnswersRun() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(arguments);
        long seed = options.number("seed", 1);
        Setup setup = new Setup(
                seed,
                Mutant.NONE,
                options.number("jobs", 10_000),
                options.number("rate", 90),
                options.number("kills", 60),
                options.number("workers", 2),
                PATIENCE);
        Path files = Files.createDirectories(Path.of(options.text("directory", "target/answers"))
                .resolve("seed-%d-%d".formatted(seed, System.nanoTime())));
        AnswersAccount account;
        try (TestPostgresServer server = TestPostgresServer.start(PostgresRoundServer.SETTINGS)) {
            account = new AnswersRound(server, files, setup).run();
        }
        System.out.println(account);
        Map<String, List<String>> violations = AnswerCheck.violationsIn(account);
        if (!violations.isEmpty()) {
            violations.forEach(
                    (check, found) -> System.out.printf("%s: %d, such as %s%n", check, found.size(), found.get(0)));
            throw new IllegalStateException("Checks were violated: %s. Ledgers and logs are in %s"
                    .formatted(violations.keySet(), files.toAbsolutePath()));
        }
    }
}
