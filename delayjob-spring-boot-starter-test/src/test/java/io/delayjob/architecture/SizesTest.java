package io.delayjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps the types of main code short enough to be read as a whole. {@code .ci/sizes} prints the sizes of all packages.
 */
class SizesTest {

    private static final int MAX_LINES = 400;

    @Test
    void typeOverTheLimit_isNamedWithItsReasonInTheArchitecture() throws IOException {
        String reasons = Files.readString(Path.of("../docs/ARCHITECTURE.md"))
                .split("## Sizes")[1]
                .split("\n## ")[0];
        Map<String, Integer> tooLong = mainFiles()
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""), SizesTest::lines, Math::max));
        tooLong.values().removeIf(lines -> lines <= MAX_LINES);
        assertThat(tooLong).as("types over the limit").hasSizeLessThanOrEqualTo(3);
        assertThat(tooLong.keySet()).allSatisfy(type -> assertThat(reasons).contains("`%s`".formatted(type)));
    }

    private static Stream<Path> mainFiles() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            return modules.map(module -> module.resolve("src/main/java")).filter(Files::isDirectory).toList().stream()
                    .flatMap(SizesTest::javaFiles);
        }
    }

    private static Stream<Path> javaFiles(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
