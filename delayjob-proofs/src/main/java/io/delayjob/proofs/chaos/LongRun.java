package io.delayjob.proofs.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs several rounds of the test, each with its own seed. Each round appends one line to a file of results. After an
 * interruption, the next run continues after the last line. At the end, the program reports on all rounds that are
 * listed in this file.
 *
 * <pre>
 *   --rounds=40 --jobs=25000 --rate=600 --faults=26 --pace=PT1.8S --calm=PT5S --workers=3
 *   --store=postgresql --profile=FAST --seed=1 --directory=target/chaos
 * </pre>
 */
final class LongRun {

    private static final int LISTED = 20;

    private final Options options;
    private final Path directory;
    private final Path results;

    /** The directory of the last round without violations. The next round without violations deletes this directory. */
    private Path before;

    private LongRun(Options options) {
        this.options = options;
        this.directory = Path.of(options.text("directory", "target/chaos"));
        this.results = directory.resolve("results.tsv");
        this.before = directory.resolve("none");
    }

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(arguments);
        new LongRun(options).run();
    }

    private void run() throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path lock = directory.resolve("lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                throw new IllegalStateException(
                        "Another run writes to %s: wait until it ends, or name another --directory."
                                .formatted(directory.toAbsolutePath()));
            }
            runAlone();
        }
    }

    private void runAlone() throws IOException, InterruptedException {
        int rounds = options.number("rounds", 40);
        List<Result> before = results();
        if (before.size() < rounds) {
            try (RoundServer server = RoundServer.start(options)) {
                for (int round = before.size() + 1; round <= rounds; round++) {
                    Result result = round(server, round);
                    Files.writeString(
                            results,
                            result.toText() + System.lineSeparator(),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                    System.out.println(result);
                }
            }
        }
        System.out.println(Result.sum(results()));
    }

    private Result round(RoundServer server, int round) throws IOException, InterruptedException {
        long seed = options.number("seed", 1) * 1_000_000L + round;
        Profile profile = Profile.valueOf(options.text("profile", "FAST"));
        Round.Setup setup = Round.Setup.of(options, seed, profile, server.faults());
        Path files = directory.resolve("round-" + round);
        clear(files);
        Files.createDirectories(files);
        long began = System.nanoTime();
        Evidence evidence = new Round(server, files, setup).run();
        Account account = new Account(evidence);
        Map<Check, List<String>> violations = Check.violationsIn(account);
        Result result =
                Result.of(seed, Duration.ofNanos(System.nanoTime() - began), Figures.of(account, began), violations);
        Files.write(
                files.resolve("faults.txt"),
                account.faults().stream().map(Fault::toString).toList());
        if (violations.isEmpty()) {
            clear(before);
            before = files;
        } else {
            Files.writeString(files.resolve("violations.txt"), listed(violations, Integer.MAX_VALUE));
            System.out.println(listed(violations, LISTED));
        }
        return result;
    }

    private static String listed(Map<Check, List<String>> violations, int most) {
        return violations.entrySet().stream()
                .map(entry -> "%s: %d%n%s"
                        .formatted(
                                entry.getKey(),
                                entry.getValue().size(),
                                entry.getValue().stream()
                                        .limit(most)
                                        .map(violation -> "    " + violation + System.lineSeparator())
                                        .collect(Collectors.joining())))
                .collect(Collectors.joining());
    }

    private List<Result> results() throws IOException {
        return Files.exists(results)
                ? Files.readAllLines(results).stream().map(Result::parse).toList()
                : List.of();
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(LongRun::delete);
            }
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
