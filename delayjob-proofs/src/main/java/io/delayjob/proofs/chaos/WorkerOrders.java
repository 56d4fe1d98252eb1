package io.delayjob.proofs.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a worker process is started with.
 *
 * @param name its own, unlike any other's of the run
 * @param jdbcUrl the way to the database, through a proxy
 * @param ledger the file that it writes
 * @param longestDelay its jobs are due at random within this
 * @param firstNumber its jobs are numbered from here on
 * @param seed of its load
 */
record WorkerOrders(
        String name,
        String jdbcUrl,
        Path ledger,
        Profile profile,
        Mutant mutant,
        Duration longestDelay,
        long firstNumber,
        long seed) {

    static WorkerOrders parse(String[] arguments) {
        return new WorkerOrders(
                arguments[0],
                arguments[1],
                Path.of(arguments[2]),
                Profile.valueOf(arguments[3]),
                Mutant.valueOf(arguments[4]),
                Duration.parse(arguments[5]),
                Long.parseLong(arguments[6]),
                Long.parseLong(arguments[7]));
    }

    List<String> toArguments() {
        return List.of(
                name,
                jdbcUrl,
                ledger.toString(),
                profile.name(),
                mutant.name(),
                longestDelay.toString(),
                String.valueOf(firstNumber),
                String.valueOf(seed));
    }
}
