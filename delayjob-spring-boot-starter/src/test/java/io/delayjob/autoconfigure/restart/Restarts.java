package io.delayjob.autoconfigure.restart;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts an application again and again in one process, as Spring Boot's devtools do: libraries stay, the application's
 * own classes are loaded anew. Ends with the number of old class loaders that something still holds on to.
 */
public final class Restarts {

    private static final int TIMES = 4;

    private Restarts() {}

    public static void main(String[] args) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int start = 0; start < TIMES; start++) {
            loaders.add(start(args[0]));
        }
        // The JVM and its libraries hold on to the first, which their threads were born with, and remember the last.
        List<WeakReference<ClassLoader>> old = loaders.subList(1, TIMES - 1);
        int held = old.size();
        for (int collection = 0; collection < 20 && held > 0; collection++) {
            System.gc();
            held = (int) old.stream().filter(loader -> loader.get() != null).count();
        }
        System.exit(held);
    }

    /** On a thread of its own, as devtools do, so that nothing hangs on to it by way of this one. */
    private static WeakReference<ClassLoader> start(String url) throws Exception {
        ClassLoader loader = new ApplicationLoader(Restarts.class.getClassLoader());
        List<Throwable> failures = new ArrayList<>();
        Thread main = new Thread(() -> {
            try {
                loader.loadClass(RestartedApplication.class.getName())
                        .getMethod("run", String.class)
                        .invoke(null, url);
            } catch (Throwable failure) {
                failures.add(failure);
            }
        });
        main.setContextClassLoader(loader);
        main.start();
        main.join();
        if (!failures.isEmpty()) {
            throw new IllegalStateException("The application did not run", failures.get(0));
        }
        return new WeakReference<>(loader);
    }

    /** Looks for the application's classes first, and leaves all others to its parent. */
    private static final class ApplicationLoader extends ClassLoader {

        ApplicationLoader(ClassLoader parent) {
            super("application", parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(RestartedApplication.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}
