package io.delayjob.jdbc;

import io.delayjob.internal.jdbc.dialect.Dialect;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

sealed interface Binding {

    void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException;

    static Binding of(Dialect dialect) {
        return dialect.hasArrays() ? new Arrays(dialect) : new Json();
    }

    record Arrays(Dialect dialect) implements Binding {

        @Override
        public void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
            if (value instanceof Column column) {
                statement.setArray(index, dialect.array(statement.getConnection(), column.type(), column.values()));
            } else {
                statement.setObject(index, value);
            }
        }
    }

    record Json() implements Binding {

        @Override
        public void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
            if (value instanceof Column list) {
                statement.setString(index, JsonText.array(list));
            } else if (value instanceof UUID id) {
                statement.setBytes(index, bytes(id));
            } else {
                statement.setObject(index, value);
            }
        }

        private static byte[] bytes(UUID id) {
            return ByteBuffer.allocate(16)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        }
    }

    static UUID uuid(Object id) {
        if (id instanceof byte[] bytes) {
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            return new UUID(halves.getLong(), halves.getLong());
        }
        return (UUID) id;
    }
}
