package io.delayjob.proofs.chaos;

import static org.assertj.core.api.Assertions.fail;

import io.delayjob.jdbc.TestPostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Rounds for tests: a server that keeps what it has acknowledged, and what a round has shown. */
final class Rounds implements AutoCloseable {

    private static final Path FILES = Path.of("target", "chaos-test");
    private static final int LISTED = 5;
    private static final AtomicInteger ROUNDS = new AtomicInteger();

    private final TestPostgresServer server;

    private Rounds(TestPostgresServer server) {
        this.server = server;
    }

    /** Skips the test where no server can be started, and says why; fails where databases are required. */
    static Rounds open() {
        try {
            return new Rounds(TestPostgresServer.start(PostgresRoundServer.SETTINGS));
        } catch (IOException | RuntimeException cannotStart) {
            boolean required = Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_DATABASES"));
            Assumptions.assumeTrue(required, "no PostgreSQL could be started here: " + cannotStart.getMessage());
            throw new IllegalStateException("PostgreSQL is required and could not be started.", cannotStart);
        }
    }

    /** Ledgers and logs are kept until the next time: for whoever wants to know what a violation was about. */
    Account run(Round.Setup setup) {
        return run(new PostgresRoundServer(server), setup);
    }

    /** As {@link #run(Round.Setup)}, on any server. */
    static Account run(RoundServer server, Round.Setup setup) {
        try {
            // Rounds on PostgreSQL and on Redis may run side by side with the same seed.
            Path files = emptied(FILES.resolve(
                    "%s-%s-%d-%d".formatted(setup.mutant(), setup.profile(), setup.seed(), ROUNDS.incrementAndGet())));
            return new Account(new Round(server, files, setup).run());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return fail("interrupted", stopped);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (Exception broken) {
            throw new IllegalStateException("The round with seed %d broke.".formatted(setup.seed()), broken);
        }
    }

    /** As {@link #run(Round.Setup)}, of atomic jobs. */
    EffectsRound.Outcome run(EffectsRound.Setup setup) {
        try {
            Path files = emptied(FILES.resolve("effects-%s-%d".formatted(setup.mutant(), setup.seed())));
            return new EffectsRound(server, files, setup).run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return fail("interrupted", stopped);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (Exception broken) {
            throw new IllegalStateException("The round with seed %d broke.".formatted(setup.seed()), broken);
        }
    }

    /** As {@link #run(Round.Setup)}, of awaiting jobs. */
    AnswersAccount run(AnswersRound.Setup setup) {
        try {
            Path files = emptied(FILES.resolve("answers-%s-%d".formatted(setup.mutant(), setup.seed())));
            return new AnswersRound(server, files, setup).run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return fail("interrupted", stopped);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (Exception broken) {
            throw new IllegalStateException("The round with seed %d broke.".formatted(setup.seed()), broken);
        }
    }

    private static Path emptied(Path files) throws IOException {
        if (Files.exists(files)) {
            try (Stream<Path> old = Files.list(files)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(files);
    }

    /** The violations in words, some of each. */
    static String told(Map<Check, List<String>> violations) {
        return violations.entrySet().stream()
                .map(entry -> "%s: %d%n%s"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().size(),
                                entry.getValue().stream()
                                        .limit(LISTED)
                                        .map(violation -> "    " + violation + System.lineSeparator())
                                        .collect(Collectors.joining())))
                .collect(Collectors.joining());
    }

    @Override
    public void close() {
        server.close();
    }
}
