package io.delayjob.proofs.model;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Checks the whole model as the build does, or checks one module of the model with other bounds:
 *
 * <pre>
 *   CheckModel
 *   CheckModel Jobs MaxClaims=4 MaxFaults=3
 * </pre>
 *
 * <p>The program exits with status 1 if a property does not hold.
 */
public final class CheckModel {

    static final List<String> MODULES = List.of("Jobs", "Silence", "Leases", "Progress", "Limits", "Rates", "Groups");

    private CheckModel() {}

    /** @param args empty to check every configuration; or a module and new values for its constants */
    public static void main(String[] args) {
        boolean holds = args.length == 0
                ? MODULES.stream().map(Configuration::of).allMatch(CheckModel::check)
                : check(configuration(args));
        System.exit(holds ? 0 : 1);
    }

    private static Configuration configuration(String[] args) {
        Configuration configuration = Configuration.of(args[0]);
        for (String assignment : Arrays.asList(args).subList(1, args.length)) {
            String[] parts = assignment.split("=", 2);
            if (parts.length < 2) {
                throw new IllegalArgumentException(
                        "Invalid argument '%s': must be constant=value, as in MaxFaults=3.".formatted(assignment));
            }
            configuration = configuration.with(parts[0], parts[1]);
        }
        return configuration;
    }

    private static boolean check(Configuration configuration) {
        Path directory = Path.of("target", "model", configuration.module() + "-by-hand");
        Verdict verdict = new ModelChecker(directory).checkAll(configuration);
        System.out.printf("%s: %s%n", configuration.module(), verdict);
        System.out.printf("  actions taken: %s%n", verdict.taken());
        return verdict.violated() == null;
    }
}
