package shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation, whose code is compiled and run so that it stays true. */
record Page(Path file, String text) {

    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^(?:`([^`\n]+)`:?\n)?( *)```(\\w+)\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);

    /**
     * What stands between three backticks.
     *
     * @param file the name on the line above, empty where there is none
     * @param language as the page names it
     */
    record Block(String file, String language, String code) {}

    static Page of(String file) {
        try {
            return new Page(Path.of(file), Files.readString(ROOT.resolve(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The first page and all guides. */
    static List<Page> all() throws IOException {
        try (Stream<Path> guides = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), guides.sorted())
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(file -> of(ROOT.relativize(file).toString()))
                    .toList();
        }
    }

    /** What stands below that heading of the second level, up to the next. */
    Page section(String heading) {
        Matcher section = Pattern.compile(
                        "^## " + Pattern.quote(heading) + "\n(.*?)(?=^## |\\z)", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(text);
        if (!section.find()) {
            throw new AssertionError("%s has no section '%s'.".formatted(file, heading));
        }
        return new Page(file, section.group(1));
    }

    List<Block> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .map(block -> new Block(
                        block.group(1) == null ? "" : block.group(1),
                        block.group(3),
                        block.group(4).replaceAll("(?m)^" + block.group(2), "")))
                .filter(block -> block.language().equals(language))
                .toList();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
