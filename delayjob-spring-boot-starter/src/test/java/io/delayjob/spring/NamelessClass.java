package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** A class with a handler, whose class file holds no parameter names, neither as such nor for a debugger. */
public final class NamelessClass {

    private NamelessClass() {}

    /** Compiles it, with that method as its handler {@code x}. */
    public static Class<?> compile(Path directory, String method) throws IOException, ClassNotFoundException {
        Path source = directory.resolve("Nameless.java");
        Files.writeString(source, "class Nameless { @io.delayjob.annotation.DelayedJob(\"x\") %s }".formatted(method));
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-g:none",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(exit).isZero();
        try (URLClassLoader classes =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, NamelessClass.class.getClassLoader())) {
            return classes.loadClass("Nameless");
        }
    }
}
