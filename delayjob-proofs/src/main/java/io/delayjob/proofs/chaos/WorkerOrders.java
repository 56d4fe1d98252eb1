package io.delayjob.proofs.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The arguments for the start of a worker process.
 *
 * @param url URL of the store's server, through a proxy
 * @param firstNumber number of the first job of the process
 */
record WorkerOrders(
        String name,
        String url,
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
                url,
                ledger.toString(),
                profile.name(),
                mutant.name(),
                longestDelay.toString(),
                String.valueOf(firstNumber),
                String.valueOf(seed));
    }
}
