package io.delayjob.proofs.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks that mutexes, limits, rates and the turns of tenants are respected in spite of faults. Also checks that no job
 * waits for ever. If a check was violated, or the load was too small, the program exits with an error.
 *
 * <pre>
 *   --jobs=200000 --rate=600 --faults=70 --pace=PT3.5S --calm=PT85S --workers=3 --seed=1 --directory=target/limits
 * </pre>
 */
final class LimitsRun {

    private static final Map<String, String> DEFAULTS =
            Map.of("jobs", "200000", "rate", "600", "faults", "70", "pace", "PT3.5S", "calm", "PT85S");

    private static final int LISTED = 10;

    private LimitsRun() {}

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(arguments).orElse(DEFAULTS);
        long seed = options.number("seed", 1);
        Path files = Files.createDirectories(Path.of(options.text("directory", "target/limits"))
                .resolve("seed-%d-%d".formatted(seed, System.nanoTime())));
        long began = System.nanoTime();
        Account account;
        try (RoundServer server = RoundServer.start(options)) {
            Set<FaultKind> kinds = EnumSet.of(FaultKind.HALT);
            kinds.addAll(server.faults());
            Round.Setup setup = Round.Setup.of(options, seed, Profile.LIMITS, kinds);
            account = new Account(new Round(server, files, setup).run());
        }
        Map<Check, List<String>> ofAllJobs = Check.violationsIn(account);
        System.out.println(
                Result.of(seed, Duration.ofNanos(System.nanoTime() - began), Figures.of(account, began), ofAllJobs));
        LimitFigures figures = new LimitFigures(account);
        System.out.println(figures);
        Map<String, List<String>> violations = new TreeMap<>();
        ofAllJobs.forEach((check, found) -> violations.put(check.name(), found));
        LimitCheck.violationsIn(account).forEach((check, found) -> violations.put(check.name(), found));
        violations.forEach((check, found) -> {
            System.out.printf("%s: %d%n", check, found.size());
            found.stream().limit(LISTED).forEach(violation -> System.out.println("    " + violation));
        });
        if (!violations.isEmpty() || figures.calmMinutes() == 0 || figures.turnsBehindBacklog() == 0) {
            throw new IllegalStateException(
                    "Checks were violated: %s, or no calm minute or no small tenant had a backlog: %d and %d had. Ledgers and logs are in %s"
                            .formatted(
                                    violations.keySet(),
                                    figures.calmMinutes(),
                                    figures.turnsBehindBacklog(),
                                    files.toAbsolutePath()));
        }
    }
}
