package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/**
 * The server starts with the environment of compose.yaml. Its containers are not started here, because that needs
 * Docker.
 */
class ComposeFileTest {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([-?])([^}]*))?}");

    private static final Map<String, String> SET = Map.of(
            "DATABASE_PASSWORD", "database",
            "SHOP_PASSWORD", "s3cret",
            "BILLING_SECRET", "whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=");

    private static Map<String, Object> environment() throws IOException {
        Map<String, Map<String, Map<String, Object>>> file = new Yaml().load(Files.readString(Path.of("compose.yaml")));
        Map<String, Object> environment = new HashMap<>();
        ((Map<?, ?>) file.get("services").get("delayjob").get("environment"))
                .forEach((name, value) -> environment.put(name.toString(), filled(value.toString())));
        return environment;
    }

    /** Fills in the variables, as Compose does. */
    private static String filled(String value) {
        return VARIABLE.matcher(value).replaceAll(variable -> {
            String set = SET.get(variable.group(1));
            boolean hasDefault = "-".equals(variable.group(2));
            assertThat(set != null || hasDefault)
                    .as("%s is set", variable.group())
                    .isTrue();
            return Matcher.quoteReplacement(set != null ? set : variable.group(3));
        });
    }

    @Test
    void environment_givesCallersTheTargetBilling() throws Exception {
        Map<String, Object> environment = environment();
        assertThat(environment).containsEntry("SPRING_DATASOURCE_URL", "jdbc:postgresql://postgres/delayjob");
        environment.put("SPRING_DATASOURCE_URL", "jdbc:h2:mem:server-" + UUID.randomUUID());

        try (ConfigurableApplicationContext server = new SpringApplicationBuilder(DelayJobServer.class)
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource("compose-systemEnvironment", environment)))
                .run("--server.port=0", "--logging.level.root=warn")) {
            String credentials = Base64.getEncoder().encodeToString("shop:s3cret".getBytes(StandardCharsets.US_ASCII));
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "http://localhost:" + server.getEnvironment().getProperty("local.server.port")
                                    + "/delayjob/v1/jobs?name=billing"))
                    .header("Authorization", "Basic " + credentials)
                    .build();

            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void imageTakesTheJarThatCanBeRun() throws IOException {
        List<String> copied = Files.readAllLines(Path.of("Dockerfile")).stream()
                .filter(line -> line.startsWith("COPY "))
                .map(line -> line.split(" ")[1])
                .toList();

        assertThat(copied).hasSize(1);
        assertThat(FileSystems.getDefault()
                        .getPathMatcher("glob:" + copied.get(0))
                        .matches(Path.of("target", "delayjob-server-1.0.0-exec.jar")))
                .isTrue();
    }
}
