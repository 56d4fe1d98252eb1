package io.delayjob;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A codec that writes texts such as {@code {orderId=42}}, so that a test can compare them. */
final class TextCodec implements PayloadCodec {

    @Override
    public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        Map<String, @Nullable Object> byName = new TreeMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            byName.put(parameters.get(i).name(), arguments.get(i));
        }
        return encodeNamed(byName);
    }

    @Override
    public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        if (arguments.containsValue("unwritable")) {
            throw new InvalidPayloadException("Invalid payload 'unwritable': must be writable; write something else.");
        }
        return arguments.isEmpty() ? null : new TreeMap<>(arguments).toString();
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        if (payload != null && payload.contains("misfit")) {
            throw new InvalidPayloadException("Invalid payload %s: must fit; write what fits.".formatted(payload));
        }
        return List.of();
    }
}
