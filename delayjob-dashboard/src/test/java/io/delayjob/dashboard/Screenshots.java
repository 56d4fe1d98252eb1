package io.delayjob.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Makes the images of {@code docs/dashboard.md}. It runs only when it is named:
 *
 * <pre>./mvnw -pl delayjob-dashboard -am test -Dtest=Screenshots -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class Screenshots {

    private static final Path IMAGES = Path.of("../docs/images");

    private static final int WIDTH = 1440;

    private static final int HEIGHT = 1000;

    @Test
    void make() throws IOException {
        Browser browser = Browser.shared();
        try (CannedServer server = CannedServer.start()) {
            browser.size(WIDTH, HEIGHT);
            browser.theme("light");
            pages().forEach((name, page) -> {
                browser.show(server.page("rich") + "?" + page);
                browser.screenshot(image(name));
            });
            browser.show(server.page("rich") + "?failures");
            browser.click("Retry…");
            browser.type("#typed", "send-webhook");
            browser.screenshot(image("retry"));

            browser.theme("dark");
            browser.show(server.page("rich") + "?");
            browser.screenshot(image("overview-dark"));
            browser.theme("light");

            browser.size(390, 844);
            browser.show(server.page("rich") + "?");
            browser.screenshot(image("phone"));
        }
    }

    private static Path image(String name) {
        return IMAGES.resolve("dashboard-%s.png".formatted(name));
    }

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("overview", "");
        pages.put("timetable", "timetable");
        pages.put("jobs", "jobs");
        pages.put("job", "job&id=" + SceneJobs.RETRYING);
        pages.put("failures", "failures");
        pages.put("handlers", "handlers");
        pages.put("cluster", "cluster");
        return pages;
    }
}
