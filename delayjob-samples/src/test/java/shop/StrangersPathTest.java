package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringBootVersion;

/**
 * The README leads a stranger from an empty project to a job that runs, is tested and observed: its blocks are written into a
 * project such as Spring Initializr makes, which Maven then tests and runs with the artifacts of this very build.
 */
@Execution(ExecutionMode.CONCURRENT) // processes of its own
class StrangersPathTest {

    private static final Page PATH = Page.of("README.md").section("From an empty project");

    private static final Pattern ARTIFACT = Pattern.compile("(delayjob-[a-z-]+)-(\\d.*)\\.jar");

    private static final Pattern OPEN = Pattern.compile("Tomcat started on port (\\d+)");

    /** Such as start.spring.io makes with Spring Web, Spring Boot Actuator and H2. */
    private static final String INITIALIZR_POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
                <modelVersion>4.0.0</modelVersion>
                <parent>
                    <groupId>org.springframework.boot</groupId>
                    <artifactId>spring-boot-starter-parent</artifactId>
                    <version>%s</version>
                    <relativePath/>
                </parent>
                <groupId>com.example</groupId>
                <artifactId>demo</artifactId>
                <version>0.0.1-SNAPSHOT</version>
                <properties>
                    <java.version>17</java.version>
                </properties>
                <dependencies>
                    <dependency>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-starter-actuator</artifactId>
                    </dependency>
                    <dependency>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-starter-webmvc</artifactId>
                    </dependency>
                    <dependency>
                        <groupId>com.h2database</groupId>
                        <artifactId>h2</artifactId>
                        <scope>runtime</scope>
                    </dependency>
                    <dependency>
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-starter-webmvc-test</artifactId>
                        <scope>test</scope>
                    </dependency>
                </dependencies>
                <build>
                    <plugins>
                        <plugin>
                            <groupId>org.springframework.boot</groupId>
                            <artifactId>spring-boot-maven-plugin</artifactId>
                        </plugin>
                    </plugins>
                </build>
            </project>
            """;

    private static final String INITIALIZR_APPLICATION = """
            package com.example.demo;

            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;

            @SpringBootApplication
            public class DemoApplication {

                public static void main(String[] args) {
                    SpringApplication.run(DemoApplication.class, args);
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void readme_leadsToAJobThatRunsIsTestedAndObserved() throws Exception {
        Path repository = Files.createDirectory(directory.resolve("repository"));
        deploy(builtJars(), repository);
        Path project = Files.createDirectory(directory.resolve("demo"));
        create(project);

        try (RunningProgram maven = RunningProgram.start(project, maven(repository, "test", "spring-boot:run"))) {
            maven.awaitText(Pattern.compile("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0"));
            int port = Integer.parseInt(maven.awaitText(OPEN).group(1));
            List<CurlSession.Command> session = CurlSession.of(PATH);
            assertThat(session).hasSize(3);
            assertThat(session.get(0).send(port, "").statusCode()).isEqualTo(200);
            maven.awaitText(Pattern.compile("Hello, Ann"));
            await().atMost(ShopClient.PATIENCE)
                    .untilAsserted(() ->
                            assertThat(session.get(1).send(port, "").body()).contains("\"state\":\"FINISHED\""));
            assertThat(session.get(2).send(port, "").body()).contains("\"name\":\"delayjob.lateness\"", "\"COUNT\"");
        }
    }

    @Test
    void readme_takesThirtyLines() {
        long lines = Stream.concat(PATH.blocks("java").stream(), PATH.blocks("properties").stream())
                .flatMap(block -> block.code().lines())
                .filter(line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
                .count();

        assertThat(lines).isLessThanOrEqualTo(30);
    }

    private static List<Path> builtJars() {
        List<Path> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry ->
                        ARTIFACT.matcher(entry.getFileName().toString()).matches())
                .toList();
        assumeThat(jars)
                .as("jars of delayjob, which are built when Maven is run up to 'verify'")
                .isNotEmpty();
        return jars;
    }

    /** Lays them down with their poms as Maven's own "install" would. */
    private static void deploy(List<Path> jars, Path repository) throws IOException {
        for (Path jar : jars) {
            var artifact = ARTIFACT.matcher(jar.getFileName().toString());
            assertThat(artifact.matches()).isTrue();
            Path place = repository.resolve(Path.of("io", "delayjob", artifact.group(1), artifact.group(2)));
            Files.createDirectories(place);
            Files.copy(jar, place.resolve(jar.getFileName()));
            Files.copy(
                    jar.resolveSibling("../.flattened-pom.xml"),
                    place.resolve(jar.getFileName().toString().replace(".jar", ".pom")));
        }
    }

    private static void create(Path project) throws IOException {
        StringBuilder dependencies = new StringBuilder();
        PATH.blocks("xml").forEach(block -> dependencies.append(block.code()));
        write(
                project.resolve("pom.xml"),
                INITIALIZR_POM
                        .formatted(SpringBootVersion.getVersion())
                        .replaceFirst("(?=</dependencies>)", dependencies.toString()));
        write(project.resolve("src/main/java/com/example/demo/DemoApplication.java"), INITIALIZR_APPLICATION);
        List<Page.Block> files = new ArrayList<>(PATH.blocks("properties"));
        files.addAll(PATH.blocks("java"));
        for (Page.Block file : files) {
            write(project.resolve(file.file()), file.code());
        }
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** The Maven that runs this build. It finds what is not of this build where this build has found it, and writes nothing there. */
    private static ProcessBuilder maven(Path repository, String... goals) {
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", windows ? "mvn.cmd" : "mvn")
                        .toString(),
                "--offline",
                "--batch-mode",
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + System.getProperty("localRepository"),
                "-DargLine=" + String.join(" ", RunningProgram.QUICK_START),
                "-Dspring-boot.run.arguments=--server.port=0"));
        command.addAll(List.of(goals));
        ProcessBuilder maven = new ProcessBuilder(command);
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        maven.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
        maven.environment().put("MAVEN_OPTS", String.join(" ", RunningProgram.QUICK_START));
        return maven;
    }
}
