package io.delayjob.jdbc;

import io.delayjob.job.SurrogatePairs;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * Values for the named parameters of a statement: single values, lists, and one batch. The statement may name the whole
 * batch as {@code :batch}. After a lock, the statement may name the locked rows of the batch as {@code :lockedRows}, or
 * one column of these rows, such as {@code :tokenOfLocked}. Used by one thread.
 */
final class Parameters {

    private static final String BATCH = "batch";

    private static final String LOCKED = "locked";

    private static final String LOCKED_ROWS = "lockedRows";

    private static final String OF_LOCKED = "OfLocked";

    private final Map<String, @Nullable Object> values = new HashMap<>();
    private final Map<String, Column> batch = new LinkedHashMap<>();
    private @Nullable Map<String, Column> lockedRows;

    static Parameters none() {
        return new Parameters();
    }

    Parameters set(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    Parameters locked(Collection<UUID> ids) {
        values.remove(LOCKED_ROWS);
        lockedRows = null;
        return set(LOCKED, Column.of("uuid", ids, id -> id));
    }

    int rows() {
        return batch.isEmpty() ? 0 : batch.values().iterator().next().values().length;
    }

    Parameters ofOneRow() {
        batch.forEach((name, column) -> set(name, column.values()[0]));
        return this;
    }

    Parameters names(String name, Collection<String> names) {
        return set(name, Column.of("varchar", names, text -> wellFormed(name, text)));
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

    /** A driver may write half a surrogate pair as a question mark. Two different keys might then be equal. */
    static @Nullable String wellFormed(String name, @Nullable String text) {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (SurrogatePairs.isHalf(text, i)) {
                throw new DataIntegrityViolationException(
                        "Invalid %s: must be well-formed Unicode, but has half a surrogate pair at index %d"
                                .formatted(name, i));
            }
        }
        return text;
    }

    private <T> Parameters column(
            String name, String type, Collection<T> rows, Function<T, ? extends @Nullable Object> value) {
        Column column = Column.of(type, rows, value);
        batch.put(name, column);
        return set(name, column);
    }

    @Nullable
    Object value(String name) {
        if (name.endsWith(OF_LOCKED)) {
            String column = name.substring(0, name.length() - OF_LOCKED.length());
            return Objects.requireNonNull(lockedRows().get(column), name);
        }
        if (!values.containsKey(name)) {
            switch (name) {
                case BATCH -> set(BATCH, JsonText.rows(batch));
                case LOCKED_ROWS -> set(LOCKED_ROWS, JsonText.rows(lockedRows()));
                default -> throw new IllegalStateException("Nothing is bound to the parameter ':%s'.".formatted(name));
            }
        }
        return values.get(name);
    }

    private Map<String, Column> lockedRows() {
        if (lockedRows == null) {
            lockedRows = narrowed();
        }
        return lockedRows;
    }

    private Map<String, Column> narrowed() {
        Set<Object> locked =
                new HashSet<>(Arrays.asList(((Column) Objects.requireNonNull(values.get(LOCKED))).values()));
        @Nullable Object[] ids = Objects.requireNonNull(batch.get("id")).values();
        int[] rows = IntStream.range(0, ids.length)
                .filter(row -> locked.contains(ids[row]))
                .toArray();
        if (rows.length == ids.length) {
            return batch;
        }
        Map<String, Column> narrowed = new LinkedHashMap<>();
        batch.forEach((name, column) -> narrowed.put(name, column.only(rows)));
        return narrowed;
    }
}
