package io.delayjob.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
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
                        "Handler method Nameless.run has parameters whose names are not in the class file")
                .withMessageContaining("Compile it with -parameters");
    }

    @Test
    void methodWithoutPayload_needsNoNames() throws Exception {
        AnnotatedMethod method = compiledWithout("void run(io.delayjob.handler.JobContext job) {}");
        assertThat(method.payloadParameters()).isEmpty();
    }

    private AnnotatedMethod compiledWithout(String method) throws Exception {
        return AnnotatedMethod.of(NamelessClass.compile(directory, method)).get(0);
    }
}
