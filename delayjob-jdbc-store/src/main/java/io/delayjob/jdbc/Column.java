package io.delayjob.jdbc;

import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many values of one parameter: one value for each row of a batch, or the elements of a list.
 *
 * @param type {@code uuid}, {@code bigint}, {@code integer}, {@code smallint}, {@code boolean} or {@code varchar}
 * @param values one value for each row; a missing value is {@code null}
 */
record Column(String type, @Nullable Object[] values) {

    static <T> Column of(String type, Collection<T> rows, Function<T, ? extends @Nullable Object> value) {
        @Nullable Object[] values = values(type, rows.size());
        int i = 0;
        for (T row : rows) {
            values[i++] = value.apply(row);
        }
        return new Column(type, values);
    }

    Column only(int[] rows) {
        return new Column(
                type, Arrays.stream(rows).mapToObj(row -> values[row]).toArray(length -> values(type, length)));
    }

    /** The array has the exact element type, because drivers send an {@code Object[]} as text. */
    private static @Nullable Object[] values(String type, int length) {
        return switch (type) {
            case "uuid" -> new @Nullable UUID[length];
            case "bigint" -> new @Nullable Long[length];
            case "integer" -> new @Nullable Integer[length];
            case "smallint" -> new @Nullable Short[length];
            case "boolean" -> new @Nullable Boolean[length];
            case "varchar" -> new @Nullable String[length];
            default -> throw new IllegalArgumentException("There is no column of type " + type);
        };
    }
}
