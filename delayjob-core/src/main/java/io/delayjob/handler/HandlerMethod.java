package io.delayjob.handler;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * Describes the method of a handler by class, name and descriptor, as a method reference does.
 *
 * @param type the class of the bean as the application wrote it, not the class of a proxy
 * @param descriptor parameter types and return type of the method, written as in a class file, such as {@code (J)V}
 */
public record HandlerMethod(Class<?> type, String name, String descriptor) {

    /**
     * Tells whether a method reference may mean this method. The class of the reference may be the same class, a
     * superclass or a subclass. If this method implements a more general method, a reference to the general method also
     * means this method.
     */
    boolean isReachedBy(HandlerMethod reference) {
        return name.equals(reference.name)
                && (type.isAssignableFrom(reference.type) || reference.type.isAssignableFrom(type))
                && (descriptor.equals(reference.descriptor) || isBridged(reference.descriptor));
    }

    /** Tells whether the method has the return type {@code void}. */
    public boolean returnsNothing() {
        return descriptor.endsWith(")V");
    }

    /** If the method implements a more general method, the compiler adds a bridge method with the general types. */
    private boolean isBridged(String general) {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.isBridge()
                        && method.getName().equals(name)
                        && MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                .toMethodDescriptorString()
                                .equals(general)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return type.getSimpleName() + "::" + name;
    }
}
