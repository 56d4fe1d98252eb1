package io.delayjob.proofs.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The arguments of a run, as {@code --name=value}. Immutable. */
final class Options {

    private static final Set<String> KNOWN = Set.of(
            "rounds",
            "jobs",
            "rate",
            "kills",
            "faults",
            "pace",
            "calm",
            "workers",
            "profile",
            "seed",
            "directory",
            "store");

    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    static Options parse(String[] arguments) {
        Map<String, String> values = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String name = argument.startsWith("--") && equals > 0 ? argument.substring(2, equals) : "";
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException(
                        "Invalid argument '%s': must be --<name>=<value> with one of the names %s."
                                .formatted(argument, KNOWN));
            }
            values.put(name, argument.substring(equals + 1));
        }
        return new Options(values);
    }

    Options orElse(Map<String, String> defaults) {
        Map<String, String> all = new TreeMap<>(defaults);
        all.putAll(values);
        return new Options(all);
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    int number(String name, int otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    Duration duration(String name, Duration otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Duration.parse(value);
    }
}
