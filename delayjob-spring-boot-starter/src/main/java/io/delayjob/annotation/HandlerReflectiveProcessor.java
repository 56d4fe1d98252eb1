package io.delayjob.annotation;

import io.delayjob.handler.JobContext;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;

/** Tells a native image to keep handlers and their payload types. */
final class HandlerReflectiveProcessor extends SimpleReflectiveProcessor {

    private final BindingReflectionHintsRegistrar payloads = new BindingReflectionHintsRegistrar();

    @Override
    protected void registerMethodHint(ReflectionHints hints, Method handler) {
        super.registerMethodHint(hints, handler);
        for (Type parameter : handler.getGenericParameterTypes()) {
            if (parameter != JobContext.class) {
                payloads.registerReflectionHints(hints, parameter);
            }
        }
        // Kotlin's compiler adds this method to a function with default arguments.
        Arrays.stream(handler.getDeclaringClass().getDeclaredMethods())
                .filter(method -> method.getName().equals(handler.getName() + "$default"))
                .forEach(method -> super.registerMethodHint(hints, method));
    }
}
