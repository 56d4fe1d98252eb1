package io.delayjob.handler;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns arguments into text that is stored with the job, and back. Thread-safe. */
public interface PayloadCodec {

    /**
     * Refuses parameters whose arguments can never be written or never be read again. It is called at start, so that
     * the error does not first appear when a job is due. A parameter that passes may still be refused later.
     *
     * @throws InvalidPayloadException when a parameter is refused; the message names the parameter and the reason
     */
    default void check(List<PayloadParameter> parameters) {}

    /**
     * Writes arguments by parameter name.
     *
     * @return {@code null} when there is nothing to store
     * @throws InvalidPayloadException when an argument cannot be written
     */
    @Nullable
    String encode(List<PayloadParameter> parameters, List<? extends @Nullable Object> arguments);

    /**
     * Writes arguments for a handler that is known by name only, perhaps in another application. A map holds the
     * arguments by parameter name; {@code null} stands for none.
     *
     * @throws InvalidPayloadException when an argument cannot be written
     */
    @Nullable
    String encodeNamed(Map<String, ? extends @Nullable Object> arguments);

    /**
     * Writes the {@linkplain Next#done result} of a handler, for people and for {@code Job.result()}. Default: a
     * payload with the single argument {@code result}.
     *
     * @throws InvalidPayloadException when the result cannot be written
     */
    default @Nullable String encodeResult(Object result) {
        return encodeNamed(Map.of("result", result));
    }

    /**
     * Adds an argument to a payload that this codec has written. In a chain, a job gets the result of the job before it
     * in this way. Default: puts the argument at the end of the JSON object that {@link #encodeNamed} writes. A codec
     * that writes something else overrides this method.
     *
     * @param payload the other arguments; {@code null} for none
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
     * Reads arguments. {@link StoredArguments} has the rules for stored names without a parameter, and for parameters
     * without a stored value.
     *
     * @throws InvalidPayloadException when the text does not fit the parameters. Its message and its causes are logged
     *     and stored, so they must not hold values of the payload
     */
    List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload);
}
