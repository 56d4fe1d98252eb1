package io.delayjob.spring;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.Nullness;
import org.springframework.util.ReflectionUtils;

/**
 * The default arguments of a Kotlin function. Kotlin's compiler adds a static method with one bit for each argument. If
 * the bit of an argument is set, the static method passes the argument's default to the function.
 *
 * @param filling the static method
 * @param optional positions of the parameters that have a default and cannot be {@code null}
 */
record KotlinDefaults(Method filling, BitSet optional) {

    private static final String SUFFIX = "$default";

    static @Nullable KotlinDefaults of(Method method) {
        if (!KotlinDetector.isKotlinType(method.getDeclaringClass())) {
            return null;
        }
        BitSet optional = new BitSet();
        IntStream.range(0, method.getParameterCount())
                .mapToObj(i -> new MethodParameter(method, i))
                .filter(parameter ->
                        parameter.isOptional() && Nullness.forMethodParameter(parameter) != Nullness.NULLABLE)
                .forEach(parameter -> optional.set(parameter.getParameterIndex()));
        return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                .filter(candidate -> !optional.isEmpty()
                        && candidate.getName().equals(method.getName() + SUFFIX)
                        && Arrays.equals(candidate.getParameterTypes(), fillingTypes(method)))
                .findFirst()
                .map(filling -> new KotlinDefaults(filling, optional))
                .orElse(null);
    }

    private static Class<?>[] fillingTypes(Method method) {
        Class<?>[] own = method.getParameterTypes();
        Class<?>[] types = new Class<?>[own.length + words(own.length) + 2];
        types[0] = method.getDeclaringClass();
        System.arraycopy(own, 0, types, 1, own.length);
        Arrays.fill(types, own.length + 1, types.length - 1, int.class);
        types[types.length - 1] = Object.class;
        return types;
    }

    private static int words(int parameters) {
        return (parameters + Integer.SIZE - 1) / Integer.SIZE;
    }

    boolean fill(@Nullable Object[] arguments) {
        return optional.stream().anyMatch(i -> arguments[i] == null);
    }

    @Nullable
    Object call(Object target, @Nullable Object[] arguments) throws InvocationTargetException, IllegalAccessException {
        Class<?>[] types = filling.getParameterTypes();
        @Nullable Object[] all = new Object[types.length];
        int[] bits = new int[words(arguments.length)];
        all[0] = target;
        for (int i = 0; i < arguments.length; i++) {
            boolean filled = arguments[i] == null && optional.get(i);
            all[i + 1] = filled ? nothing(types[i + 1]) : arguments[i];
            bits[i / Integer.SIZE] |= filled ? 1 << i % Integer.SIZE : 0;
        }
        for (int i = 0; i < bits.length; i++) {
            all[arguments.length + 1 + i] = bits[i];
        }
        ReflectionUtils.makeAccessible(filling);
        return filling.invoke(null, all);
    }

    private static @Nullable Object nothing(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
