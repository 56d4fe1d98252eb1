package io.delayjob.handler;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One argument that is stored with a job.
 *
 * @param name the parameter's name: it is the name in the stored payload
 * @param type its full generic type: payloads are read as this, whatever the row says
 * @param nullable whether it is declared to take {@code null}
 */
public record PayloadParameter(String name, Type type, boolean nullable) {

    /** One that does not say that it takes {@code null}. */
    public PayloadParameter(String name, Type type) {
        this(name, type, false);
    }

    /** Whether whoever schedules by name may leave it out. */
    public boolean mayBeMissing() {
        return nullable || isOptional();
    }

    /** What it gets when nothing is stored for it: {@code null}, zero, {@code false}, or an empty {@link Optional}. */
    public @Nullable Object missing() {
        if (isOptional()) {
            return Optional.empty();
        }
        return isPrimitive() ? Array.get(Array.newInstance((Class<?>) type, 1), 0) : null;
    }

    /** Whether it cannot hold {@code null} at all. */
    public boolean isPrimitive() {
        return type instanceof Class<?> declared && declared.isPrimitive();
    }

    private boolean isOptional() {
        return type == Optional.class
                || (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class);
    }
}
