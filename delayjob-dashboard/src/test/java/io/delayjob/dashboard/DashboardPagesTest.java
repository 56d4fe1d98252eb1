package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each page, with canned answers: accessible in both themes, without a message in the console, whatever the texts are. */
class DashboardPagesTest {

    private static Browser browser;
    private static CannedServer server;

    @BeforeAll
    static void open() throws IOException {
        browser = Browser.open();
        browser.size(1440, 1000);
        server = CannedServer.start();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
            server.close();
        }
    }

    private static void show(String scene, String theme, String page) {
        browser.console();
        browser.theme(theme);
        browser.show(server.page(scene) + "?" + page);
    }

    @ParameterizedTest
    @CsvSource({
        "light, '',                                              Jobs start 1.8 ms after their time",
        "dark,  '',                                              Needs attention",
        "light, wheel,                                           In memory",
        "dark,  wheel,                                           Levels",
        "light, timetable,                                       More jobs than the slots can start in time.",
        "dark,  timetable,                                       Due next",
        "light, jobs,                                            Just ended",
        "dark,  jobs&state=FAILED,                               IllegalStateException",
        "light, job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f,     Fourth and last attempt in",
        "dark,  job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f,     Why does it not run?",
        "light, failures,                                        214 jobs failed for good in 24 hours",
        "dark,  failures,                                        ResourceAccessException",
        "light, handlers,                                        Nobody runs settle-invoice.",
        "dark,  handlers,                                        paused by ann@example.com",
        "light, cluster,                                         shop-4 is late.",
        "dark,  cluster,                                         the instance that reads the rows of each partition ahead"
    })
    void page_inATheme_isAccessibleAndLogsNothing(String theme, String page, String shows) {
        show("rich", theme, page);
        browser.untilShown(shows);
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "light, failures,                                    Retry…",
        "dark,  failures,                                    Retry…",
        "light, handlers,                                    Pause send-webhook",
        "dark,  handlers,                                    Cancel…",
        "light, job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f, Reschedule…",
        "dark,  job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f, Cancel…",
        "dark,  '',                                          Keyboard shortcuts (?)"
    })
    void dialog_inATheme_isAccessibleAndLogsNothing(String theme, String page, String opens) {
        show("rich", theme, page);
        browser.click(opens);
        browser.until("a dialog", open -> open.has("dialog[open]"));
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "timetable",
                "jobs",
                "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f",
                "failures",
                "handlers",
                "cluster"
            })
    void hostileTexts_onAPage_areShownAsText(String page) {
        show("hostile", "light", page);
        browser.untilShown("<script>");
        assertThat(browser.title()).as("the title").contains("<script>").endsWith(" · delayjob");
        assertThat(browser.has("main img, aside img"))
                .as("an element made of a text")
                .isFalse();
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .as("the page fits its window")
                .isEqualTo(true);
        assertThat(browser.violations()).isEmpty();
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',        No statistics",
        "wheel,     This instance shows no wheel.",
        "timetable, Nothing is planned",
        "jobs,      No jobs yet",
        "failures,  Nothing has failed",
        "handlers,  This instance has no handlers",
        "cluster,   shop-2",
        "jobs&key=order-1, No job matches",
        "job&id=01a1fc8f-0000-7000-a000-000000000000, No such job"
    })
    void emptyApplication_onAPage_saysWhatIsMissing(String page, String shows) {
        show("empty", "light", page);
        browser.untilShown(shows);
        assertThat(browser.violations()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wheel",
                "timetable",
                "jobs",
                "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f",
                "failures",
                "handlers",
                "cluster"
            })
    void page_onAPhone_fitsItsWidth(String page) {
        browser.size(390, 844);
        try {
            show("rich", "light", page);
            assertThat(browser.run("return document.documentElement.scrollWidth"))
                    .isEqualTo(390L);
            assertThat(browser.violations()).isEmpty();
        } finally {
            browser.size(1440, 1000);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wheel",
                "timetable",
                "jobs",
                "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f",
                "failures",
                "handlers",
                "cluster"
            })
    void page_whileItIsFilled_doesNotJump(String page) {
        show("rich", "light", page);
        assertThat(browser.jumps()).isLessThan(0.1);
    }

    @Test
    void filterThatFindsNothing_amongRowsLookedAt_offersToLookFurther() {
        show("rich", "light", "jobs&state=DELAYED&key=order-0");
        browser.untilShown("None among the 20,000 jobs looked at");
        browser.click("Look further");
        browser.untilShown("No job matches");
        assertThat(browser.address()).contains("after=canned");
    }
}
