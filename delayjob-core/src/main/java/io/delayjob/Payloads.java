package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.InvalidPayloadException;
import io.delayjob.handler.KeyRule;
import io.delayjob.handler.PayloadCodec;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.handler.PayloadTooLongException;
import io.delayjob.job.Printable;
import io.delayjob.schedule.Stated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Encodes the arguments of handlers, and refuses arguments that a handler cannot be called with. Thread-safe. */
final class Payloads {

    private final PayloadCodec codec;
    private final int maxSize;

    /** @param maxSize maximum length of a payload, in characters */
    Payloads(PayloadCodec codec, int maxSize) {
        this.codec = codec;
        this.maxSize = maxSize;
    }

    /** No argument may be {@code null}. */
    @Nullable
    String encode(Handler handler, @Nullable Object... arguments) {
        checkNumber(
                handler,
                arguments.length,
                "write the method reference directly in the call of schedule(…), so that the compiler checks the "
                        + "number of payloads");
        checkPresent(handler, arguments);
        return encodeFitting(handler, handler.parameters(), Arrays.asList(arguments));
    }

    private static void checkPresent(Handler handler, @Nullable Object... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == null) {
                throw new InvalidPayloadException(
                        "Invalid payload null for parameter '%s' of handler '%s': must be a value. If it is a generated id, save the entity first."
                                .formatted(handler.parameters().get(i).name(), handler.name()));
            }
        }
    }

    /** The result of another job may take the place of the last argument. No given argument may be {@code null}. */
    @Nullable
    String encodeFirst(Handler handler, @Nullable Object... arguments) {
        List<PayloadParameter> parameters = handler.parameters();
        if (arguments.length + 1 != parameters.size()) {
            return encode(handler, arguments);
        }
        checkPresent(handler, arguments);
        return encodeFitting(handler, parameters.subList(0, arguments.length), Arrays.asList(arguments));
    }

    @Nullable
    String lastMissing(Handler handler, Map<String, ? extends @Nullable Object> arguments) {
        checkMap(handler.name(), arguments);
        List<String> names =
                handler.parameters().stream().map(PayloadParameter::name).toList();
        List<String> missing =
                names.stream().filter(name -> !arguments.containsKey(name)).toList();
        return missing.size() == 1 && missing.get(0).equals(names.get(names.size() - 1)) ? missing.get(0) : null;
    }

    @Nullable
    String encodeAllButLast(Handler handler, Map<String, ? extends @Nullable Object> arguments) {
        List<PayloadParameter> parameters = handler.parameters();
        List<PayloadParameter> first = parameters.subList(0, parameters.size() - 1);
        checkNames(handler, arguments);
        checkGiven(handler, first, arguments);
        String payload = checked(handler.name(), codec.encodeNamed(new TreeMap<>(arguments)));
        decode(handler, first, arguments, payload);
        return payload;
    }

    /** An argument may be {@code null}, unlike in {@link #encode}. */
    @Nullable
    String encodeInOrder(Handler handler, List<? extends @Nullable Object> arguments) {
        checkNumber(handler, arguments.size(), "give all of them, with null for a missing value");
        return encodeFitting(handler, handler.parameters(), arguments);
    }

    private @Nullable String encodeFitting(
            Handler handler, List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            PayloadParameter parameter = parameters.get(i);
            if (!parameter.takes(arguments.get(i))) {
                throw misfit(handler.name(), parameter, arguments.get(i), null);
            }
        }
        return checked(handler.name(), codec.encode(parameters, arguments));
    }

    private static InvalidPayloadException misfit(
            String handler,
            PayloadParameter parameter,
            @Nullable Object argument,
            @Nullable InvalidPayloadException cause) {
        String message = "Invalid argument '%s' for handler '%s': must be %s, but is %s; pass a value of that type."
                .formatted(parameter.name(), handler, parameter.type().getTypeName(), kind(argument));
        return cause == null ? new InvalidPayloadException(message) : new InvalidPayloadException(message, cause);
    }

    /** The text does not contain the value, because payloads may be secret. */
    private static String kind(@Nullable Object argument) {
        if (argument == null) {
            return "null";
        }
        if (argument instanceof Map) {
            return "a map";
        }
        return argument instanceof Collection
                ? "a collection"
                : "a " + argument.getClass().getTypeName();
    }

    @Nullable
    Object keyOf(Handler handler, KeyRule rule, @Nullable String payload) {
        return rule.keyOf(codec.decode(handler.parameters(), payload));
    }

    private static void checkNumber(Handler handler, int given, String advice) {
        List<PayloadParameter> parameters = handler.parameters();
        if (given != parameters.size()) {
            throw new InvalidPayloadException(
                    "Invalid number of payloads for handler '%s' (%d): must be %d, one for each of the parameters %s; %s."
                            .formatted(handler.name(), given, parameters.size(), names(parameters), advice));
        }
    }

    List<@Nullable String> encodeEach(Handler handler, Collection<?> arguments) {
        List<@Nullable String> payloads = new ArrayList<>(arguments.size());
        for (Object argument : arguments) {
            try {
                payloads.add(encode(handler, argument));
            } catch (InvalidPayloadException refused) {
                throw new InvalidPayloadException(
                        "The payload at index %d of %d was refused: %s"
                                .formatted(payloads.size(), arguments.size(), refused.getMessage()),
                        refused);
            }
        }
        return payloads;
    }

    /** Sorts the arguments by name, so that a repeated call returns the same text for any kind of map. */
    @Nullable
    String encodeNamed(String name, @Nullable Handler handler, Map<String, ? extends @Nullable Object> arguments) {
        checkMap(name, arguments);
        if (handler != null) {
            checkNames(handler, arguments);
            checkGiven(handler, arguments);
        }
        String payload = checked(name, codec.encodeNamed(new TreeMap<>(arguments)));
        if (handler != null) {
            checkReadable(handler, arguments, payload);
        }
        return payload;
    }

    private static void checkMap(String name, @Nullable Map<String, ?> arguments) {
        Stated.notNull(arguments, "map of arguments", "must hold the arguments by name; use an empty map for none")
                .keySet()
                .forEach(argument -> Stated.notNull(
                        argument, "argument name", "must be the name of a parameter of handler '" + name + "'"));
    }

    private static void checkNames(Handler handler, Map<String, ? extends @Nullable Object> arguments) {
        Set<String> unknown = new TreeSet<>(arguments.keySet());
        handler.parameters().forEach(parameter -> unknown.remove(parameter.name()));
        if (!unknown.isEmpty()) {
            throw new InvalidPayloadException(
                    "Invalid argument names %s for handler '%s': must be among %s; correct the names."
                            .formatted(Printable.of(unknown), handler.name(), names(handler.parameters())));
        }
    }

    /** Without this check, an unreadable payload would be noticed only when the job is due. */
    private void checkReadable(
            Handler handler, Map<String, ? extends @Nullable Object> arguments, @Nullable String payload) {
        List<@Nullable Object> decoded = decode(handler, handler.parameters(), arguments, payload);
        try {
            handler.body().check(decoded);
        } catch (IllegalArgumentException refused) {
            throw new InvalidPayloadException(
                    "Invalid arguments for handler '%s': %s".formatted(handler.name(), refused.getMessage()), refused);
        }
    }

    private List<@Nullable Object> decode(
            Handler handler,
            List<PayloadParameter> parameters,
            Map<String, ? extends @Nullable Object> arguments,
            @Nullable String payload) {
        try {
            return codec.decode(parameters, payload);
        } catch (InvalidPayloadException unreadable) {
            for (PayloadParameter parameter : parameters) {
                if (arguments.containsKey(parameter.name())) {
                    checkReadable(handler, parameter, arguments.get(parameter.name()));
                }
            }
            throw unreadable;
        }
    }

    private void checkReadable(Handler handler, PayloadParameter parameter, @Nullable Object argument) {
        try {
            codec.decode(List.of(parameter), codec.encodeNamed(Collections.singletonMap(parameter.name(), argument)));
        } catch (InvalidPayloadException unreadable) {
            throw misfit(handler.name(), parameter, argument, unreadable);
        }
    }

    /** A missing argument never means 0 or null. */
    void checkGiven(Handler handler, Map<String, ? extends @Nullable Object> arguments) {
        checkGiven(handler, handler.parameters(), arguments);
    }

    private static void checkGiven(
            Handler handler, List<PayloadParameter> parameters, Map<String, ? extends @Nullable Object> arguments) {
        for (PayloadParameter parameter : parameters) {
            if (!parameter.takes(null) && arguments.get(parameter.name()) == null) {
                throw new InvalidPayloadException(
                        "Missing argument '%s' for handler '%s': must be a value, because its type is %s; give it by name."
                                .formatted(parameter.name(), handler.name(), parameter.type()));
            }
            if (!arguments.containsKey(parameter.name()) && !parameter.mayBeMissing()) {
                throw new InvalidPayloadException(
                        "Missing argument '%s' for handler '%s': must be given, because its parameter is neither @Nullable nor an Optional. Give it by name; null is allowed."
                                .formatted(parameter.name(), handler.name()));
            }
        }
    }

    private @Nullable String checked(String name, @Nullable String payload) {
        if (payload == null) {
            return null;
        }
        if (payload.length() > maxSize) {
            throw new PayloadTooLongException(
                    "Invalid payload of %d characters for handler '%s': must be at most %d characters (delayjob.payload.max-size). Store the data elsewhere and pass its id, or raise the limit."
                            .formatted(payload.length(), name, maxSize));
        }
        Texts.unstorable(payload).ifPresent(index -> {
            throw new InvalidPayloadException(
                    "Invalid payload for handler '%s': %s.".formatted(name, Texts.unstorableRule(payload, index)));
        });
        return payload;
    }

    private static String names(List<PayloadParameter> parameters) {
        return parameters.stream().map(PayloadParameter::name).collect(Collectors.joining(", ", "[", "]"));
    }
}
