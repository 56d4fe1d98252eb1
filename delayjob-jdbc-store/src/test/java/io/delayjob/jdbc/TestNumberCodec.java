package io.delayjob.jdbc;

import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Payloads that are one whole number, written as such, or nothing. */
public final class TestNumberCodec implements PayloadCodec {

    @Override
    public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        return arguments.isEmpty() ? null : String.valueOf(arguments.get(0));
    }

    @Override
    public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        return encode(List.of(), List.copyOf(arguments.values()));
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        return payload == null ? List.of() : List.of(Long.valueOf(payload));
    }
}
