package io.delayjob.benchmarks.durable;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** If the engine reads a payload, this codec throws an exception. */
final class NoPayloads implements PayloadCodec {
    @Override
    public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        return null;
    }

    @Override
    public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        return null;
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        if (payload != null) {
            throw new InvalidPayloadException("This is not a payload: " + payload);
        }
        return List.of();
    }
}
