package io.delayjob.handler;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;

/**
 * The method behind a handler, as a method reference names it.
 *
 * @param type the bean's class, as the application wrote it (not a proxy's)
 * @param name the method's name
 * @param descriptor its parameter and return types in the class file's form, such as {@code (J)V}
 */
public record HandlerMethod(Class<?> type, String name, String descriptor) {

    /**
     * Tells whether a reference that names {@code reference} may mean this method. The named method must have the same
     * name, in the same class, a superclass or a subclass. Its types must be the types of this method, or of the
     * generic or more general method that this method implements.
     */
    boolean isReachedBy(HandlerMethod reference) {
        return name.equals(reference.name)
                && (type.isAssignableFrom(reference.type) || reference.type.isAssignableFrom(type))
                && (descriptor.equals(reference.descriptor) || isBridged(reference.descriptor));
    }

    /** Tells whether the method returns nothing, and so never a {@link Next}. */
    public boolean returnsNothing() {
        return descriptor.endsWith(")V");
    }

    /** Looks for a bridge method: the compiler writes one into the implementing class for each more general method. */
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
