package io.delayjob.spring;

import io.delayjob.MethodReference;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ReflectionUtils;

/** Tells a native image to keep the method names in method references. */
final class MethodReferenceHints implements BeanRegistrationAotProcessor {

    /** The compiler writes this method into classes with a serializable lambda or method reference. */
    private static final String MARK = "$deserializeLambda$";

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        List<Class<?>> marked = new ArrayList<>();
        Method mark = mark(bean.getBeanClass());
        while (mark != null) {
            marked.add(mark.getDeclaringClass());
            mark = mark(mark.getDeclaringClass().getSuperclass());
        }
        return marked.isEmpty()
                ? null
                : (generation, code) -> marked.forEach(declaring -> register(generation.getRuntimeHints(), declaring));
    }

    private static @Nullable Method mark(Class<?> type) {
        return ReflectionUtils.findMethod(type, MARK, SerializedLambda.class);
    }

    private static void register(RuntimeHints hints, Class<?> declaring) {
        for (Class<?> reference : MethodReference.class.getDeclaredClasses()) {
            hints.reflection().registerLambda(declaring, lambda -> lambda.withInterfaces(reference));
        }
    }
}
