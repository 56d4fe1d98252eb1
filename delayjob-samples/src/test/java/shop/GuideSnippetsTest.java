package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes that the guide shows compile, once their imports are added. */
class GuideSnippetsTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("(?m)^class (\\w+)");

    private static final String IMPORTS = """
            package shop;
            import io.delayjob.*;
            import io.delayjob.annotation.*;
            import io.delayjob.handler.*;
            import io.delayjob.schedule.*;
            import java.time.*;
            import org.springframework.stereotype.Component;
            """;

    @TempDir
    private Path classes;

    @Test
    void guide_compiles() throws Exception {
        List<JavaFileObject> snippets = new ArrayList<>();
        for (Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/migrating.md"))); block.find(); ) {
            snippets.add(new Snippet(block.group(1)));
        }
        assertThat(snippets).hasSize(5);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-parameters", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));

        boolean compiled = compiler.getTask(complaints, null, null, options, null, snippets)
                .call();

        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    private static final class Snippet extends SimpleJavaFileObject {

        private final String code;

        Snippet(String block) {
            super(URI.create("string:///shop/" + name(block) + ".java"), Kind.SOURCE);
            code = IMPORTS + block;
        }

        private static String name(String block) {
            Matcher name = NAME.matcher(block);
            assertThat(name.find()).as(block).isTrue();
            return name.group(1);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
