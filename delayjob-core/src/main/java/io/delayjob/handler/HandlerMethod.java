package io.delayjob.handler;

/**
 * The method behind a handler, as a method reference names it.
 *
 * @param type the bean's class, as the application wrote it (not a proxy's)
 * @param name the method's name
 * @param descriptor its parameter and return types in the class file's form, such as {@code (J)V}
 */
public record HandlerMethod(Class<?> type, String name, String descriptor) {

    @Override
    public String toString() {
        return type.getSimpleName() + "::" + name;
    }
}
