package io.delayjob.proofs.chaos;

import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Payloads that are one whole number, written as such. */
final class NumberCodec implements PayloadCodec {

    @Override
    public String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        return String.valueOf(arguments.get(0));
    }

    @Override
    public String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        return encode(List.of(), List.copyOf(arguments.values()));
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        return List.of(number(payload));
    }

    /** The number of a job with this payload. */
    static long number(@Nullable String payload) {
        return payload == null ? 0 : Long.parseLong(payload);
    }
}
