package io.delayjob.benchmarks.durable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The arguments of a benchmark, as {@code --name=value}. Immutable. */
final class Options {

    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    static Options parse(String[] arguments, Set<String> known) {
        Map<String, String> values = new TreeMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String name = argument.startsWith("--") && equals > 0 ? argument.substring(2, equals) : "";
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "Invalid argument '%s': must be --<name>=<value> with one of the names %s."
                                .formatted(argument, known));
            }
            values.put(name, argument.substring(equals + 1));
        }
        return new Options(values);
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    BenchmarkDatabase database(int connections) {
        String data = values.get("data");
        return data == null
                ? BenchmarkDatabase.open(values.get("url"), connections)
                : BenchmarkDatabase.openKept(Path.of(data), connections);
    }

    <E extends Enum<E>> E oneOf(String name, E otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        List<E> constants = List.of(otherwise.getDeclaringClass().getEnumConstants());
        return constants.stream()
                .filter(constant -> constant.name().equalsIgnoreCase(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Invalid --%s=%s: must be one of %s.".formatted(name, value, constants)));
    }

    int number(String name, int otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    List<Integer> numbers(String name, int otherwise) {
        String value = values.get(name);
        return value == null
                ? List.of(otherwise)
                : Arrays.stream(value.split(",")).map(Integer::valueOf).toList();
    }

    Duration duration(String name, Duration otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Duration.parse(value);
    }
}
