package io.delayjob.internal.jdbc.dialect;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows in the binary format of PostgreSQL's {@code COPY}. While the server reads one piece, the client writes the next.
 * Used by one thread.
 */
final class CopiedRows implements BulkWriter.Rows {

    @FunctionalInterface
    interface Sink {
        void send(byte[] bytes, int length) throws SQLException;
    }

    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int PIECE = 1 << 16;
    private static final int NULL = -1;
    private static final short END = -1;

    private final Sink sink;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);

    CopiedRows(Sink sink) {
        this.sink = sink;
        int flags = 0;
        int extension = 0;
        piece.put(SIGNATURE).putInt(flags).putInt(extension);
    }

    @Override
    public CopiedRows row(int columns) throws SQLException {
        room(Short.BYTES).putShort((short) columns);
        return this;
    }

    @Override
    public CopiedRows uuid(UUID value) throws SQLException {
        field(2 * Long.BYTES).putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
        return this;
    }

    @Override
    public CopiedRows bigint(long value) throws SQLException {
        field(Long.BYTES).putLong(value);
        return this;
    }

    @Override
    public CopiedRows integer(int value) throws SQLException {
        field(Integer.BYTES).putInt(value);
        return this;
    }

    @Override
    public CopiedRows text(@Nullable String value) throws SQLException {
        if (value == null) {
            room(Integer.BYTES).putInt(NULL);
            return this;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= PIECE - Integer.BYTES) {
            field(bytes.length).put(bytes);
        } else {
            room(Integer.BYTES).putInt(bytes.length);
            send();
            sink.send(bytes, bytes.length);
        }
        return this;
    }

    void end() throws SQLException {
        room(Short.BYTES).putShort(END);
        send();
    }

    private ByteBuffer field(int length) throws SQLException {
        return room(Integer.BYTES + length).putInt(length);
    }

    private ByteBuffer room(int length) throws SQLException {
        if (piece.remaining() < length) {
            send();
        }
        return piece;
    }

    private void send() throws SQLException {
        sink.send(piece.array(), piece.position());
        piece.clear();
    }
}
