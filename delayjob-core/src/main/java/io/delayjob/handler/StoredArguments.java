package io.delayjob.handler;

import io.delayjob.job.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the arguments of one stored payload by their names. A {@link PayloadCodec} uses this class. This class
 * decides which payloads fit a handler, so that all codecs have the same rules. Not thread-safe.
 *
 * <pre>{@code
 * StoredArguments arguments = new StoredArguments(parameters);
 * stored.forEach((name, value) -> {
 *     int index = arguments.indexOf(name);
 *     if (index >= 0) {
 *         arguments.set(index, value);
 *     }
 * });
 * return arguments.complete();
 * }</pre>
 */
public final class StoredArguments {

    private static final int MOST_NAMED = 10;

    private static final int MOST_SHOWN = 50;

    private final List<PayloadParameter> parameters;
    private final @Nullable Object[] values;
    private final BitSet stored;
    private final List<String> unknown = new ArrayList<>(0);

    /** Creates an empty collection for the arguments of these parameters. */
    public StoredArguments(List<PayloadParameter> parameters) {
        this.parameters = parameters;
        this.values = new Object[parameters.size()];
        this.stored = new BitSet(parameters.size());
    }

    /**
     * Returns the index of the parameter with this stored name. If there is no such parameter, remembers the name and
     * returns -1.
     */
    public int indexOf(String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equals(name)) {
                return i;
            }
        }
        if (unknown.size() < MOST_NAMED) {
            unknown.add(shown(name));
        }
        return -1;
    }

    /**
     * Sets the value that the payload contains for the parameter at this index.
     *
     * @throws InvalidPayloadException if the value is {@code null}, but the parameter cannot hold {@code null}
     */
    public void set(int index, @Nullable Object value) {
        PayloadParameter parameter = parameters.get(index);
        if (value == null && !parameter.takes(null)) {
            throw new InvalidPayloadException(
                    "The stored payload has null for argument '%s': must be a value, because the argument's type is %s."
                            .formatted(parameter.name(), parameter.type()));
        }
        values[index] = value == null ? parameter.missing() : value;
        stored.set(index);
    }

    /**
     * Returns the arguments in the order of the parameters. If a parameter was removed, its stored argument is ignored.
     * If an optional parameter was added, it gets the
     * {@linkplain PayloadParameter#missing() value that stands for a missing argument}.
     *
     * @throws InvalidPayloadException if a required argument is missing. The exception is also thrown in this case: an
     *     optional argument is missing, and a stored argument has no parameter. The parameter was then probably renamed
     */
    public List<@Nullable Object> complete() {
        if (stored.cardinality() < parameters.size()) {
            addMissing();
        }
        return Arrays.asList(values);
    }

    private void addMissing() {
        List<Integer> missing = IntStream.range(0, parameters.size())
                .filter(i -> !stored.get(i))
                .boxed()
                .toList();
        if (!unknown.isEmpty()) {
            throw new InvalidPayloadException(
                    "The stored payload does not fit the handler's parameters: %s missing, and no parameter is named %s. If a parameter was renamed, annotate it with its stored name, as in @JobArgument(\"%s\")."
                            .formatted(described(missing), String.join(", ", quoted(unknown)), unknown.get(0)));
        }
        List<Integer> required =
                missing.stream().filter(i -> !parameters.get(i).mayBeMissing()).toList();
        if (!required.isEmpty()) {
            throw new InvalidPayloadException(
                    "The stored payload does not fit the handler's parameters: %s missing. If a parameter was added, declare it @Nullable or as an Optional."
                            .formatted(described(required)));
        }
        missing.forEach(i -> values[i] = parameters.get(i).missing());
    }

    private String described(List<Integer> places) {
        return places.stream()
                .map(parameters::get)
                .map(parameter ->
                        "'%s' (%s)".formatted(parameter.name(), parameter.type().getTypeName()))
                .collect(Collectors.joining(", ", "", places.size() == 1 ? " is" : " are"));
    }

    private static List<String> quoted(List<String> names) {
        return names.stream().map(name -> "'" + name + "'").toList();
    }

    private static String shown(String name) {
        return Printable.of(name.length() > MOST_SHOWN ? name.substring(0, MOST_SHOWN) + "…" : name);
    }
}
