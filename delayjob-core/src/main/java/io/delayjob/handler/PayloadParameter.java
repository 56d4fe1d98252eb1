package io.delayjob.handler;

import io.delayjob.job.Printable;
import io.delayjob.schedule.Stated;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes a parameter of a handler. Its argument is stored with the job.
 *
 * @param name the name of the argument in the stored payload; not blank, no control characters. It is usually the name
 *     of the Java parameter
 * @param type full generic type of the parameter. Payloads are always decoded as this type
 * @param nullable whether the parameter accepts {@code null}, because its declaration says so or because it has a
 *     default
 */
public record PayloadParameter(String name, Type type, boolean nullable) {

    public PayloadParameter {
        Stated.notNull(name, "name of a parameter", "must be the name in the stored payload");
        Stated.notNull(
                type, "type of parameter '" + name + "'", "must be the type of the value that is read from payloads");
        if (Printable.check("name of a parameter", name).isBlank()) {
            throw new IllegalArgumentException(
                    "Invalid parameter name '%s': must not be blank; use a Java name.".formatted(name));
        }
    }

    static void checkDistinct(String handler, List<PayloadParameter> parameters) {
        Set<String> names = new HashSet<>();
        for (PayloadParameter parameter : parameters) {
            if (!names.add(parameter.name())) {
                throw new IllegalArgumentException(
                        "Invalid parameters of handler '%s': two parameters are stored as '%s'. Each must have its own name, so rename one of the two."
                                .formatted(handler, parameter.name()));
            }
        }
    }

    /** Creates a parameter that is not declared to accept {@code null}. */
    public PayloadParameter(String name, Type type) {
        this(name, type, false);
    }

    /** Tells whether the argument may be missing in a payload, because it is nullable or an {@link Optional}. */
    public boolean mayBeMissing() {
        return nullable || isOptional();
    }

    /**
     * Returns the value that the handler gets if the argument is missing or {@code null}. For an {@link Optional}
     * parameter, this is an empty {@code Optional}. For any other parameter, this is {@code null}.
     */
    public @Nullable Object missing() {
        return isOptional() ? Optional.empty() : null;
    }

    /**
     * Tells whether a handler can be called with this value. The check does not include the elements of a collection.
     */
    public boolean takes(@Nullable Object value) {
        if (value == null) {
            return nullable || !isPrimitive();
        }
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        return !(raw instanceof Class<?> declared) || boxed(declared).isInstance(value);
    }

    private static Class<?> boxed(Class<?> declared) {
        return declared.isPrimitive() ? MethodType.methodType(declared).wrap().returnType() : declared;
    }

    /** Tells whether the type of this parameter cannot hold {@code null}. */
    public boolean isPrimitive() {
        return type instanceof Class<?> declared && declared.isPrimitive();
    }

    private boolean isOptional() {
        return type == Optional.class
                || (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class);
    }
}
