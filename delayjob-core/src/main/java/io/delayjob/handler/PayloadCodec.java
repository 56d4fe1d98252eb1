package io.delayjob.handler;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns arguments into text that is stored with the job, and back. Thread-safe. */
public interface PayloadCodec {

    /**
     * Refuses parameters whose arguments can never be written, or never be read again. Called at start, so that this
     * does not show when the first job is due; what it lets pass may still be refused then.
     *
     * @throws InvalidPayloadException which says of which parameter, and why
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
     * Writes what was given for a handler that is known by name only, perhaps in another application: a map becomes the
     * parameters by name, {@code null} nothing.
     *
     * @throws InvalidPayloadException when it cannot be written
     */
    @Nullable
    String encodeNamed(Map<String, ? extends @Nullable Object> arguments);

    /**
     * Reads arguments. {@link StoredArguments} has the rules for names without a parameter and parameters without a
     * stored value.
     *
     * @throws InvalidPayloadException when the text does not fit the parameters. Its message and its causes are logged
     *     and stored, so they must not hold values of the payload
     */
    List<@Nullable Object> decode(List<PayloadParameter> parameters, @Nullable String payload);
}
