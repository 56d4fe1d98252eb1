package io.delayjob.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.job.JobId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A script gets what was packed. */
class PackedArrayTest {

    @Test
    void script_unpacksNumbersAndBytes_ofEveryLength() {
        PackedArray array = new PackedArray();
        PackedArray rest = new PackedArray();
        List<Object> expected = new ArrayList<>();
        for (int number : new int[] {0, 1, 127, 128, 255, 256, 70_000, Integer.MAX_VALUE}) {
            array.add(number);
            expected.add((long) number);
        }
        for (int length : new int[] {0, 1, 31, 32, 255, 256, 70_000}) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) 0xc1);
            rest.add(bytes);
            expected.add(bytes);
        }
        array.moveFrom(rest).moveFrom(rest);
        JobId id = new JobId(UUID.fromString("0190b0e0-0000-7fff-8000-0000000000ff"));
        array.add(new PackedArray().add(7).add("\u00ff").addDigits(-42).add(id)).add(new PackedArray());
        expected.add(List.of(7L, new byte[] {-1}, Bytes.of("-42"), Bytes.of(Keyspace.member(id))));
        expected.add(List.of());

        try (StatefulRedisConnection<byte[], byte[]> connection =
                TestRedis.client().connect(ByteArrayCodec.INSTANCE)) {
            List<Object> unpacked = connection
                    .sync()
                    .eval("return cmsgpack.unpack(ARGV[1])", ScriptOutputType.MULTI, new byte[0][], array.toBytes());
            assertThat(unpacked).usingRecursiveComparison().isEqualTo(expected);
        }
    }
}
