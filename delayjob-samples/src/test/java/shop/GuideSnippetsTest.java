package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Java that the pages show compiles, together with the classes of the shop. A block that declares a package is
 * taken as it is. To others imports are added; members without a class, and statements without a method, are put into a
 * class that has what {@link GuideContext} has. A body {@code { … }} may be left out. Properties are known to somebody
 * on the class path.
 */
class GuideSnippetsTest {

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);$");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public )?(?:abstract )?(?:class|record|interface|enum|@interface) (\\w+)");
    private static final Pattern MEMBER = Pattern.compile("\\A(?:\\s*//.*\n)*\\s*@");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\n+");

    private static final String IMPORTS = """
            import static io.delayjob.handler.ConcurrencyScope.*;
            import static io.delayjob.job.JobState.*;
            import static io.delayjob.job.OnExisting.*;
            import static java.time.Duration.*;

            import io.delayjob.*;
            import io.delayjob.annotation.*;
            import io.delayjob.autoconfigure.*;
            import io.delayjob.client.*;
            import io.delayjob.event.*;
            import io.delayjob.handler.*;
            import io.delayjob.job.*;
            import io.delayjob.schedule.*;
            import io.delayjob.store.*;
            import io.delayjob.target.*;
            import io.delayjob.test.*;
            import io.delayjob.test.autoconfigure.*;
            import io.delayjob.wheel.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.atomic.AtomicReference;
            import java.util.concurrent.locks.LockSupport;
            import javax.sql.DataSource;
            import org.junit.jupiter.api.Test;
            import org.springframework.amqp.rabbit.annotation.RabbitListener;
            import org.springframework.beans.factory.annotation.*;
            import org.springframework.boot.ApplicationArguments;
            import org.springframework.boot.ApplicationRunner;
            import org.springframework.boot.test.context.SpringBootTest;
            import org.springframework.context.*;
            import org.springframework.context.annotation.*;
            import org.springframework.http.ResponseEntity;
            import org.springframework.messaging.Message;
            import org.springframework.stereotype.*;
            import org.springframework.transaction.*;
            import org.springframework.transaction.annotation.*;
            import org.springframework.web.bind.annotation.*;
            """;

    @TempDir
    private Path classes;

    static List<Page> pages() throws IOException {
        return Page.all().stream()
                .filter(page -> !page.blocks("java").isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_compiles(Page page) {
        List<JavaFileObject> snippets = new ArrayList<>();
        for (Page.Block block : page.blocks("java")) {
            snippets.add(Snippet.of(block.code(), snippets.size()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        List<String> options = List.of(
                "-proc:none", "-parameters", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));

        boolean compiled = compiler.getTask(complaints, null, null, options, null, snippets)
                .call();

        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    @Test
    void properties_areKnown() throws IOException {
        Set<String> known = new HashSet<>();
        Enumeration<URL> metadata =
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json");
        while (metadata.hasMoreElements()) {
            try (InputStream file = metadata.nextElement().openStream()) {
                JsonMapper.builder()
                        .build()
                        .readTree(file)
                        .get("properties")
                        .forEach(property -> known.add(property.get("name").asString()));
            }
        }
        assertThat(Page.all())
                .flatMap(page -> page.blocks("properties"))
                .isNotEmpty()
                .flatMap(block ->
                        block.code().lines().filter(line -> !line.isBlank()).toList())
                .map(line -> line.replaceFirst("=.*", ""))
                // DocumentedPropertiesTest knows these: beside the API the shop would need users. Boot's metadata of
                // brokers is not in the shop.
                .filteredOn(key -> !key.matches("(delayjob\\.rest|spring\\.(security|kafka|rabbitmq))\\..*"))
                // What follows is a name of the user's. The modules' own tests start with what their pages show.
                .map(key -> key.replaceFirst(
                        "^(delayjob\\.(queues|targets|stores)|spring\\.ssl\\.bundle\\.pem)\\..*", "$1"))
                .allSatisfy(key -> assertThat(known).contains(key));
    }

    private static final class Snippet extends SimpleJavaFileObject {

        private final String code;

        private Snippet(String packageName, String typeName, String code) {
            super(URI.create("string:///%s/%s.java".formatted(packageName.replace('.', '/'), typeName)), Kind.SOURCE);
            this.code = code;
        }

        static Snippet of(String block, int number) {
            Matcher itsPackage = PACKAGE.matcher(block);
            Matcher type = TYPE.matcher(block);
            if (itsPackage.find() && type.find()) {
                return new Snippet(itsPackage.group(1), type.group(1), block);
            }
            String code = block.replace("{ … }", "{ throw new UnsupportedOperationException(); }");
            if (type.find()) {
                return new Snippet("shop", type.group(1), "package shop;\n" + IMPORTS + code);
            }
            StringBuilder source = new StringBuilder("package shop;\n").append(IMPORTS);
            IMPORT.matcher(code).results().forEach(line -> source.append(line.group()));
            String body = IMPORT.matcher(code).replaceAll("");
            String name = "Snippet" + number;
            source.append("abstract class ").append(name).append(" extends GuideContext {\n");
            if (MEMBER.matcher(body).find()) {
                source.append(body);
            } else {
                source.append("void run() throws Exception {\n").append(body).append("}\n");
            }
            return new Snippet("shop", name, source.append("}\n").toString());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return code;
        }
    }
}
