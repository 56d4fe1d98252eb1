package io.delayjob.test;

import io.delayjob.handler.Handler;
import io.delayjob.handler.HandlerMethod;
import io.delayjob.handler.JobContext;
import io.delayjob.handler.PayloadParameter;
import io.delayjob.schedule.Stated;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls a method of an object as the body of a handler. The last parameter may be the context of the attempt. */
record ObjectMethod(Object bean, Method method) {

    static ObjectMethod of(Object bean, String name) {
        Stated.notNull(bean, "bean", "must be the object that the method is called on");
        Stated.notNull(
                name,
                "handler method",
                "must be the name of a method of " + bean.getClass().getName());
        List<Method> named = Arrays.stream(bean.getClass().getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && !method.isSynthetic())
                .toList();
        if (named.size() != 1) {
            throw new IllegalArgumentException(
                    "Invalid handler method '%s': %s declares %d methods of that name, but must declare exactly one. Register a Handler instead."
                            .formatted(name, bean.getClass().getName(), named.size()));
        }
        named.get(0).setAccessible(true);
        return new ObjectMethod(bean, named.get(0));
    }

    Handler handler(Handler.Builder rules) {
        String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .toMethodDescriptorString();
        return rules.method(new HandlerMethod(bean.getClass(), method.getName(), descriptor))
                .parameters(Arrays.stream(method.getParameters())
                        .limit(payloadParameters())
                        .map(ObjectMethod::payloadParameter)
                        .toList())
                .calls(this::call);
    }

    private static PayloadParameter payloadParameter(Parameter parameter) {
        boolean nullable = !parameter.getType().isPrimitive()
                && Stream.of(parameter.getAnnotatedType(), parameter)
                        .flatMap(declared -> Arrays.stream(declared.getAnnotations()))
                        .anyMatch(annotation ->
                                annotation.annotationType().getSimpleName().equals("Nullable"));
        return new PayloadParameter(parameter.getName(), parameter.getParameterizedType(), nullable);
    }

    private int payloadParameters() {
        Class<?>[] types = method.getParameterTypes();
        return takesContext() ? types.length - 1 : types.length;
    }

    private boolean takesContext() {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1] == JobContext.class;
    }

    private @Nullable Object call(List<@Nullable Object> arguments, JobContext job) throws Exception {
        List<@Nullable Object> all = new ArrayList<>(arguments);
        if (takesContext()) {
            all.add(job);
        }
        try {
            return method.invoke(bean, all.toArray());
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof Error error) {
                throw error;
            }
            throw thrown.getCause() instanceof Exception exception ? exception : thrown;
        }
    }
}
