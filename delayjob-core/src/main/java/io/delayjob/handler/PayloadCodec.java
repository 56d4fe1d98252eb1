package io.delayjob.handler;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts arguments to the text that is stored with a job, and back. Thread-safe. */
public interface PayloadCodec {

    /**
     * Refuses a parameter if its arguments can never be encoded, or can never be decoded. The application calls this
     * method when it starts.
     *
     * @throws InvalidPayloadException when a parameter is refused; the message names the parameter and the reason
     */
    default void check(List<PayloadParameter> parameters) {}

    /**
     * Encodes arguments, with the names of their parameters.
     *
     * @return the text; {@code null} if there is nothing to store
     * @throws InvalidPayloadException when an argument cannot be encoded
     */
    @Nullable
    String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments);

    /**
     * Encodes arguments that a call states by parameter name. The handler may be in another application, so its
     * parameters may be unknown.
     *
     * @throws InvalidPayloadException when an argument cannot be encoded
     */
    @Nullable
    String encodeNamed(Map<String, ? extends @Nullable Object> arguments);

    /**
     * Encodes the {@linkplain Next#done result} of a handler. By default, the text is a payload with one argument,
     * which has the name {@code result}.
     *
     * @throws InvalidPayloadException when the result cannot be encoded
     */
    default @Nullable String encodeResult(Object result) {
        return encodeNamed(Map.of("result", result));
    }

    /**
     * Adds an argument to a payload that this codec has encoded. In a chain, this argument is the result of the
     * previous job. The default implementation adds the argument at the end of the JSON object that {@link
     * #encodeNamed} returns. A codec that does not return JSON objects must override this method.
     *
     * @param payload the payload with the other arguments; {@code null} if there are none
     * @param name the name of the argument, which the payload does not have yet
     * @throws InvalidPayloadException when the argument cannot be written
     */
    default @Nullable String withArgument(@Nullable String payload, String name, Object argument) {
        String more = encodeNamed(Map.of(name, argument));
        if (payload == null || more == null) {
            return more == null ? payload : more;
        }
        String first = payload.strip();
        String second = more.strip();
        if (!isJsonObject(first) || !isJsonObject(second)) {
            throw new InvalidPayloadException(
                    "The argument '%s' cannot be added, because the payload or the argument is not a JSON object. Let the PayloadCodec override withArgument."
                            .formatted(name));
        }
        String others = first.substring(1, first.length() - 1).strip();
        return others.isEmpty() ? second : "{" + others + "," + second.substring(1);
    }

    private static boolean isJsonObject(String text) {
        return text.startsWith("{") && text.endsWith("}");
    }

    /**
     * Decodes the arguments of a payload. {@link StoredArguments} contains the rules for unknown names and missing
     * values.
     *
     * @throws InvalidPayloadException when the text does not fit the parameters. The message and causes of the
     *     exception are logged and stored, so they must not contain values of the payload
     */
    List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload);
}
