package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page on delayjob's ancestors names a test that exists for each of its rows. */
class AncestorsTest {

    private static final String LEFT_OUT = "What they have and delayjob has not";
    private static final Pattern TEST = Pattern.compile("`(\\w+)`");

    private static final Page PAGE = Page.of("docs/ancestors.md");
    private static final Set<String> TESTS = tests();

    static List<String> rows() {
        return PAGE.text()
                .substring(0, PAGE.text().indexOf("## " + LEFT_OUT))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| it ha") && !line.startsWith("| ---"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void row_namesTestsThatExist(String row) {
        String[] cells = row.split("\\|");

        assertThat(TEST.matcher(cells[cells.length - 1]).results().map(MatchResult::group))
                .isNotEmpty()
                .map(name -> name.replace("`", ""))
                .allSatisfy(name -> assertThat(TESTS).contains(name));
    }

    /** Returns the names of all test classes and contracts, of every module. */
    private static Set<String> tests() {
        Set<String> names = new HashSet<>();
        try {
            Files.walkFileTree(Path.of(".."), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    return name.equals("target") || name.startsWith(".") && !name.equals("..")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    if (name.endsWith("Test.java") || name.endsWith("Contract.java")) {
                        names.add(name.replace(".java", ""));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return names;
    }
}
