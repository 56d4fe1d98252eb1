package io.delayjob.jdbc;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value of each row of a batch, or a list.
 *
 * @param type what the values are: {@code uuid}, {@code bigint}, {@code integer}, {@code smallint}, {@code boolean} or
 *     {@code varchar}
 * @param values a value may be missing
 */
record Column(String type, @Nullable Object[] values) {

    static <T> Column of(String type, Collection<T> rows, Function<T, ? extends @Nullable Object> value) {
        @Nullable Object[] values = new @Nullable Object[rows.size()];
        int i = 0;
        for (T row : rows) {
            values[i++] = value.apply(row);
        }
        return new Column(type, values);
    }

    /** The values of these rows alone. */
    Column only(int[] rows) {
        return new Column(type, Arrays.stream(rows).mapToObj(row -> values[row]).toArray());
    }
}
