package shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages point at is there: other pages, their headings, and files. */
class GuideLinksTest {

    private static final Pattern LINK =
            Pattern.compile("(?:\\]\\(|src(?:set)?=\")(?!https?:)([^)#\"]*)(?:#([^)\"]+))?[)\"]");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static List<Page> pages() throws IOException {
        return Page.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void links_leadSomewhere(Page page) {
        Path folder = page.file().resolveSibling("");
        for (MatchResult link : LINK.matcher(page.text()).results().toList()) {
            Path target = link.group(1).isEmpty()
                    ? page.file()
                    : folder.resolve(link.group(1)).normalize();
            assertThat(Path.of("..").resolve(target)).as(link.group()).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as(link.group()).contains(link.group(2));
            }
        }
    }

    /** As GitHub makes them of headings. */
    private static List<String> anchors(Path page) {
        return HEADING.matcher(Page.of(page.toString()).text())
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
