package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootVersion;

/**
 * A project such as Spring Initializr makes. Pages of the documentation fill it, and Maven tests and runs it with the
 * artifacts of this very build.
 */
final class EmptyProject {

    /** The log line of the application's web server, with its port. */
    static final Pattern OPEN = Pattern.compile("Tomcat started on port (\\d+)");

    /** The dependency that start.spring.io adds for H2. */
    static final String H2 = """
            <dependency>
                <groupId>com.h2database</groupId>
                <artifactId>h2</artifactId>
                <scope>runtime</scope>
            </dependency>
            """;

    private static final Pattern ARTIFACT = Pattern.compile("(delayjob-[a-z-]+)-(\\d.*)\\.jar");

    /** Such as start.spring.io makes with Spring Web and Spring Boot Actuator. */
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
                        <groupId>org.springframework.boot</groupId>
                        <artifactId>spring-boot-starter-webmvc-test</artifactId>
                        <scope>test</scope>
                    </dependency>
                %s</dependencies>
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

    private final Path repository;
    private final Path project;
    private final StringBuilder dependencies = new StringBuilder();

    /**
     * Makes the project and a Maven repository in a directory.
     *
     * @param dependencies dependencies that start.spring.io adds
     */
    EmptyProject(Path directory, String... dependencies) throws IOException {
        this.repository = Files.createDirectory(directory.resolve("repository"));
        this.project = Files.createDirectory(directory.resolve("demo"));
        this.dependencies.append(String.join("", dependencies));
        deploy(builtJars(), repository);
        write("src/main/java/com/example/demo/DemoApplication.java", INITIALIZR_APPLICATION);
    }

    /** Adds the dependencies of a page, and writes its properties and classes into the files that it names. */
    void follow(Page page) throws IOException {
        page.blocks("xml").forEach(block -> dependencies.append(block.code()));
        List<Page.Block> files = new ArrayList<>(page.blocks("properties"));
        files.addAll(page.blocks("java"));
        for (Page.Block file : files) {
            if (!file.file().isEmpty()) {
                write(file.file(), file.code());
            }
        }
    }

    /** Replaces a line of a file. */
    void change(String file, String line, String by) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(project.resolve(file)));
        assertThat(lines).as(file).containsOnlyOnce(line);
        lines.set(lines.indexOf(line), by);
        Files.write(project.resolve(file), lines);
    }

    /** Appends to a file, which need not exist. */
    private void write(String file, String content) throws IOException {
        Path path = project.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /**
     * Tests and runs the application.
     *
     * @param arguments arguments of the application
     */
    RunningProgram testAndRun(String... arguments) throws IOException {
        Files.writeString(
                project.resolve("pom.xml"), INITIALIZR_POM.formatted(SpringBootVersion.getVersion(), dependencies));
        return RunningProgram.start(
                project,
                maven("-Dspring-boot.run.arguments=" + String.join(" ", arguments), "test", "spring-boot:run"));
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

    /**
     * The Maven that runs this build. It finds what is not of this build where this build has found it, and writes
     * nothing there.
     */
    private ProcessBuilder maven(String... goals) {
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", windows ? "mvn.cmd" : "mvn")
                        .toString(),
                "--offline",
                "--batch-mode",
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + System.getProperty("localRepository"),
                "-DargLine=" + String.join(" ", RunningProgram.QUICK_START)));
        command.addAll(List.of(goals));
        ProcessBuilder maven = new ProcessBuilder(command);
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        maven.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
        maven.environment().put("MAVEN_OPTS", String.join(" ", RunningProgram.QUICK_START));
        return maven;
    }
}
