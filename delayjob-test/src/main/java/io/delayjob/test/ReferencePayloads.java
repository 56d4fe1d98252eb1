package io.delayjob.test;

import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.StoredArguments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps arguments as Java objects, for tests without a JSON library. The stored row of a job contains only a number
 * instead of the arguments. So these tests do not show whether an argument can be encoded as JSON. Thread-safe.
 */
public final class ReferencePayloads implements PayloadCodec {

    private final Map<String, Map<String, @Nullable Object>> payloads = new ConcurrentHashMap<>();
    private final AtomicLong lastNumber = new AtomicLong();

    /** Creates an empty codec. Engines that share a store must also share one codec. */
    public ReferencePayloads() {}

    @Override
    public @Nullable String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        Map<String, @Nullable Object> byName = new HashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            byName.put(parameters.get(i).name(), arguments.get(i));
        }
        return encodeNamed(byName);
    }

    @Override
    public @Nullable String encodeNamed(Map<String, ? extends @Nullable Object> arguments) {
        if (arguments.isEmpty()) {
            return null;
        }
        String reference = "\"#" + lastNumber.incrementAndGet() + "\"";
        payloads.put(reference, new HashMap<>(arguments));
        return reference;
    }

    @Override
    public String encodeResult(Object result) {
        return String.valueOf(result);
    }

    @Override
    public @Nullable String withArgument(@Nullable String payload, String name, Object argument) {
        Map<String, @Nullable Object> all = new HashMap<>(payload == null ? Map.of() : payloads.get(payload));
        all.put(name, argument);
        return encodeNamed(all);
    }

    @Override
    public List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload) {
        Map<String, @Nullable Object> byName = payload == null ? Map.of() : payloads.get(payload);
        if (byName == null) {
            throw new InvalidPayloadException(
                    "Invalid payload %s: another ReferencePayloads object wrote that payload. Give all engines of a test the same object."
                            .formatted(payload));
        }
        StoredArguments arguments = new StoredArguments(parameters);
        byName.forEach((name, value) -> {
            int index = arguments.indexOf(name);
            if (index >= 0) {
                arguments.set(index, value == null ? null : checked(parameters.get(index), value));
            }
        });
        return arguments.complete();
    }

    private static Object checked(PayloadParameter parameter, Object value) {
        if (!parameter.takes(value)) {
            throw new InvalidPayloadException("The payload cannot be read at '%s': must be %s, but is a %s."
                    .formatted(
                            parameter.name(),
                            parameter.type().getTypeName(),
                            value.getClass().getName()));
        }
        return value;
    }
}
