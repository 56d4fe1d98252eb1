package io.delayjob.internal.jdbc.dialect;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Sends ids to PostgreSQL as binary arrays. Without this class, PostgreSQL's driver would send the ids as text. In a
 * backlog, text would cost a tenth of the engine's CPU time. Java cannot load this class without the driver.
 */
final class PostgreSqlIds {

    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int ID_BYTES = 2 * Long.BYTES;

    private PostgreSqlIds() {}

    /** In simple query mode, the driver sends all values as text. */
    static boolean isPossible(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                && connection.unwrap(BaseConnection.class).getPreferQueryMode() != PreferQueryMode.SIMPLE;
    }

    static Array array(Connection connection, UUID[] ids) throws SQLException {
        return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, encoded(ids));
    }

    /**
     * The header has the number of dimensions, the flag for missing values, the type, the length and the first index.
     */
    private static byte[] encoded(UUID[] ids) {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + ids.length * (Integer.BYTES + ID_BYTES));
        bytes.putInt(1).putInt(0).putInt(Oid.UUID).putInt(ids.length).putInt(1);
        for (UUID id : ids) {
            bytes.putInt(ID_BYTES).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        }
        return bytes.array();
    }
}
