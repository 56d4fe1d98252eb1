package io.delayjob;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.HandlerRegistry;
import io.delayjob.schedule.Stated;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler that a {@link MethodReference} refers to. A serializable method reference can describe itself as a
 * {@link SerializedLambda}. This class reads only that description. Only the first call for a reference uses
 * reflection. Thread-safe.
 */
public final class MethodReferenceReader {

    private static final String RULE = "must be a method reference such as UnpaidOrders::cancel";

    /** The cached values refer to no reader and no registry, so they keep no stopped application in memory. */
    private static final ClassValue<Reading> READINGS = new ClassValue<>() {
        @Override
        protected Reading computeValue(Class<?> type) {
            return new Reading();
        }
    };

    private final HandlerRegistry handlers;

    public MethodReferenceReader(HandlerRegistry handlers) {
        this.handlers = handlers;
    }

    /**
     * Returns the handler that the reference refers to.
     *
     * @throws InvalidHandlerReferenceException if the reference names no method of a bean, or if this application has
     *     no handler for the method
     * @throws IllegalArgumentException if this application has several handlers for the method
     */
    public Handler handlerOf(MethodReference reference) {
        HandlerMethod method = methodOf(reference);
        return handlers.find(method)
                .orElseThrow(() -> new InvalidHandlerReferenceException(
                        ("No handler for %s. Annotate the method with @DelayedJob, and make its class a "
                                        + "Spring bean of this application. Do so even if this application only schedules "
                                        + "(delayjob.worker.enabled=false). To schedule a handler of another application, "
                                        + "give its name instead.")
                                .formatted(method)));
    }

    static HandlerMethod methodOf(MethodReference reference) {
        Stated.notNull(reference, "handler reference", RULE);
        Reading reading = READINGS.get(reference.getClass());
        HandlerMethod method = reading.method;
        if (method == null) {
            method = method(describe(reference), reference.getClass().getClassLoader());
            reading.method = method;
        }
        return method;
    }

    private static HandlerMethod method(SerializedLambda description, @Nullable ClassLoader loader) {
        String name = description.getImplMethodName();
        String owner = description.getImplClass().replace('/', '.');
        if (isLambdaBody(name)) {
            throw new InvalidHandlerReferenceException(
                    ("Invalid handler reference in %s (%s): %s and not a lambda body, because a job is "
                                    + "stored under the name of its method's handler. If it is a method reference, make "
                                    + "its method public and free of varargs, because the compiler turns other method "
                                    + "references into lambdas.")
                            .formatted(description.getCapturingClass().replace('/', '.'), name, RULE));
        }
        if (description.getCapturedArgCount() > 0) {
            throw new InvalidHandlerReferenceException(
                    "Invalid handler reference to '%s' of %s: it is bound to an object. Write %s::%s, because the bean is looked up by its class when the job is due."
                            .formatted(name, owner, owner.substring(owner.lastIndexOf('.') + 1), name));
        }
        if (description.getImplMethodKind() == MethodHandleInfo.REF_newInvokeSpecial) {
            throw new InvalidHandlerReferenceException(
                    "Invalid handler reference to a constructor of %s: %s; move its work into a method of a bean."
                            .formatted(owner, RULE));
        }
        if (description.getImplMethodKind() == MethodHandleInfo.REF_invokeStatic) {
            throw new InvalidHandlerReferenceException(
                    "Invalid handler reference to the static method '%s' of %s: must be an instance method of a bean; remove 'static'."
                            .formatted(name, owner));
        }
        // If the method is inherited, the implementing class is a superclass. The application has named the type of the
        // first argument.
        Class<?> written = MethodType.fromMethodDescriptorString(description.getInstantiatedMethodType(), loader)
                .parameterType(0);
        return new HandlerMethod(written, name, description.getImplMethodSignature());
    }

    /**
     * For a lambda in {@code placed}, javac writes {@code lambda$placed$0}, and Kotlin writes {@code placed$lambda$0}.
     */
    private static boolean isLambdaBody(String name) {
        return name.startsWith("lambda$") || name.contains("$lambda$");
    }

    private static SerializedLambda describe(MethodReference reference) {
        Class<?> type = reference.getClass();
        try {
            Method writeReplace = type.getDeclaredMethod("writeReplace");
            writeReplace.setAccessible(true);
            if (writeReplace.invoke(reference) instanceof SerializedLambda description) {
                return description;
            }
            throw unreadable(type, null);
        } catch (ReflectiveOperationException | InaccessibleObjectException unreadable) {
            throw unreadable(type, unreadable);
        }
    }

    private static InvalidHandlerReferenceException unreadable(Class<?> type, @Nullable Exception cause) {
        String next = cause instanceof InaccessibleObjectException
                ? "open package %s to delayjob in its module-info.java".formatted(type.getPackageName())
                : "write the reference where the job is scheduled";
        return new InvalidHandlerReferenceException(
                "Invalid handler reference of %s: %s, and delayjob must be able to read it; %s."
                        .formatted(type, RULE, next),
                cause);
    }

    private static final class Reading {
        volatile @Nullable HandlerMethod method;
    }
}
