package io.delayjob.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/** What is bound to the names in a statement: single values, and columns of a batch as arrays. Used by one thread. */
final class Parameters {

    private static final class Column {
        private final String type;
        private final @Nullable Object[] values;

        Column(String type, @Nullable Object[] values) {
            this.type = type;
            this.values = values;
        }
    }

    private final Map<String, @Nullable Object> values = new HashMap<>();

    static Parameters none() {
        return new Parameters();
    }

    Parameters set(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    <T> Parameters uuids(String name, Collection<T> rows, Function<T, UUID> value) {
        return column(name, "uuid", rows, value);
    }

    <T> Parameters longs(String name, Collection<T> rows, Function<T, @Nullable Long> value) {
        return column(name, "bigint", rows, value);
    }

    <T> Parameters ints(String name, Collection<T> rows, Function<T, Integer> value) {
        return column(name, "integer", rows, value);
    }

    <T> Parameters shorts(String name, Collection<T> rows, Function<T, Short> value) {
        return column(name, "smallint", rows, value);
    }

    <T> Parameters booleans(String name, Collection<T> rows, Function<T, Boolean> value) {
        return column(name, "boolean", rows, value);
    }

    <T> Parameters texts(String name, Collection<T> rows, Function<T, @Nullable String> value) {
        return column(name, "varchar", rows, row -> wellFormed(name, value.apply(row)));
    }

    /** A driver may write half a surrogate pair as a question mark: two keys that differ would become one. */
    private static @Nullable String wellFormed(String name, @Nullable String text) {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && isHalfPair(text, i)) {
                throw new DataIntegrityViolationException(
                        "Invalid %s: half a surrogate pair at index %d, and only well-formed Unicode can be stored"
                                .formatted(name, i));
            }
        }
        return text;
    }

    private static boolean isHalfPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                ? index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1))
                : index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }

    private <T> Parameters column(
            String name, String type, Collection<T> rows, Function<T, ? extends @Nullable Object> value) {
        @Nullable Object[] column = new @Nullable Object[rows.size()];
        int i = 0;
        for (T row : rows) {
            column[i++] = value.apply(row);
        }
        return set(name, new Column(type, column));
    }

    /** Binds the parameters named in {@code names}, in that order. */
    void bind(PreparedStatement statement, List<String> names) throws SQLException {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Object value = values.get(name);
            if (value instanceof Column column) {
                statement.setArray(i + 1, statement.getConnection().createArrayOf(column.type, column.values));
            } else if (value != null || values.containsKey(name)) {
                statement.setObject(i + 1, value);
            } else {
                throw new IllegalStateException("Nothing is bound to the parameter ':%s'.".formatted(name));
            }
        }
    }
}
