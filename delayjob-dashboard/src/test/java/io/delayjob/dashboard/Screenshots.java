package io.delayjob.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * Makes the images of {@code docs/dashboard.md} and the README, of an application that runs. It runs only when it is
 * named; {@code docs/dashboard.md} has the commands. Without an address, it shows canned answers.
 */
class Screenshots {

    private static final Path IMAGES = Path.of(System.getProperty("delayjob.dashboard.images", "../docs/images"));

    private static final int WIDTH = 1440;

    private static final int HEIGHT = 840;

    /** The page of a running application, such as the sample shop during a busy evening. */
    private static final String ADDRESS = System.getProperty("delayjob.dashboard.address");

    /** URL of that application's database, if it was opened within the last hour. */
    private static final String STORE = System.getProperty("delayjob.dashboard.store");

    private static final Map<String, String> PAGES = new LinkedHashMap<>();

    static {
        PAGES.put("overview", "");
        PAGES.put("wheel", "wheel");
        PAGES.put("timetable", "timetable");
        PAGES.put("jobs", "jobs");
        PAGES.put("failures", "failures");
        PAGES.put("handlers", "handlers");
        PAGES.put("cluster", "cluster");
    }

    @Test
    void make() throws IOException {
        if (STORE != null) {
            JdbcDataSource store = new JdbcDataSource();
            store.setURL(STORE);
            store.setUser("sa");
            EarlierMinutes.write(store, Instant.parse(System.getProperty("delayjob.dashboard.until")));
        }
        Browser browser = Browser.shared();
        try (CannedServer server = CannedServer.start()) {
            String page = (ADDRESS == null ? server.page("rich") : ADDRESS) + "?";
            browser.size(WIDTH, HEIGHT);
            browser.theme("light");
            for (Map.Entry<String, String> entry : PAGES.entrySet()) {
                browser.show(page + entry.getValue());
                inBothThemes(browser, entry.getKey());
            }

            browser.show(page + "failures");
            browser.click("Retry…");
            browser.type("#typed", "send-webhook");
            inBothThemes(browser, "retry");

            if (ADDRESS == null) {
                browser.show(page + "job&id=" + SceneJobs.RETRYING);
            } else {
                browser.show(page + "jobs&state=FAILED");
                browser.press("j", Keys.ENTER);
            }
            browser.untilShown("What happened");
            browser.loaded();
            inBothThemes(browser, "job");

            browser.size(390, 844);
            browser.show(page);
            inBothThemes(browser, "phone");
        }
    }

    private static void inBothThemes(Browser browser, String name) {
        browser.screenshot(IMAGES.resolve("dashboard-%s.png".formatted(name)));
        browser.theme("dark");
        browser.screenshot(IMAGES.resolve("dashboard-%s-dark.png".formatted(name)));
        browser.theme("light");
    }
}
