package io.delayjob.redis;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.ToByteBufEncoder;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Encodes keys as {@linkplain Bytes strings of bytes}, and values as bytes. Thread-safe. */
final class ByteStringCodec implements RedisCodec<String, byte[]>, ToByteBufEncoder<String, byte[]> {

    static final ByteStringCodec INSTANCE = new ByteStringCodec();

    private ByteStringCodec() {}

    @Override
    public String decodeKey(ByteBuffer bytes) {
        return Bytes.text(decodeValue(bytes));
    }

    @Override
    public byte[] decodeValue(ByteBuffer bytes) {
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        return value;
    }

    @Override
    public ByteBuffer encodeKey(String key) {
        return ByteBuffer.wrap(Bytes.of(key));
    }

    @Override
    public ByteBuffer encodeValue(byte[] value) {
        return ByteBuffer.wrap(value);
    }

    @Override
    public void encodeKey(String key, ByteBuf target) {
        target.writeBytes(Bytes.of(key));
    }

    @Override
    public void encodeValue(byte[] value, ByteBuf target) {
        target.writeBytes(value);
    }

    @Override
    public int estimateSize(Object keyOrValue) {
        return keyOrValue instanceof String key ? key.length() : ((byte[]) keyOrValue).length;
    }

    @Override
    public boolean isEstimateExact() {
        return true;
    }
}
