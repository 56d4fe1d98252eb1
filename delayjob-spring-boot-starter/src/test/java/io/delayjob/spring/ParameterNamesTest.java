package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParameterNamesTest {

    @TempDir
    private Path directory;

    @Test
    void methodWithoutParameterNames_isRefused() throws Exception {
        AnnotatedMethod method = compiledWithout("void run(long id) {}");
        assertThatExceptionOfType(InvalidHandlerException.class)
                .isThrownBy(method::payloadParameters)
                .withMessageContaining(
                        "Handler method Nameless.run has parameters whose names the class file does not hold")
                .withMessageContaining("Compile it with -parameters");
    }

    @Test
    void methodWithoutPayload_needsNoNames() throws Exception {
        AnnotatedMethod method = compiledWithout("void run(io.delayjob.handler.JobContext job) {}");
        assertThat(method.payloadParameters()).isEmpty();
    }

    /** A class whose class file holds no parameter names, neither as such nor for a debugger. */
    private AnnotatedMethod compiledWithout(String method) throws Exception {
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
        try (URLClassLoader classes = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            return AnnotatedMethod.of(classes.loadClass("Nameless")).get(0);
        }
    }
}
