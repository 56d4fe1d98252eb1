package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each page, with canned answers: accessible in both themes, without a message in the console, whatever the texts are.
 */
class DashboardPagesTest {

    private static Browser browser;
    private static CannedServer server;

    @BeforeAll
    static void open() throws IOException {
        browser = Browser.shared();
        browser.size(1440, 1000);
        server = CannedServer.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
            browser.forget();
        }
    }

    private static void show(String scene, String theme, String page) {
        browser.console();
        browser.theme(theme);
        browser.show(server.page(scene) + "?" + page);
    }

    private static void assertSound() {
        assertThat(browser.violationsInBothThemes()).isEmpty();
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'',                                         Jobs start 1.8 ms after their time",
        "wheel,                                      In memory",
        "timetable,                                  More jobs than the slots can start in time.",
        "jobs,                                       Just ended",
        "jobs&state=FAILED,                          IllegalStateException",
        "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f, Fourth and last attempt in",
        "failures,                                   214 jobs failed for good in 24 hours",
        "groups,                                     invoices-november",
        "handlers,                                   Nobody runs settle-invoice.",
        "cluster,                                    shop-4 is late."
    })
    void page_inBothThemes_isAccessibleLogsNothingAndDoesNotJump(String page, String shows) {
        show("rich", "light", page);
        browser.untilShown(shows);
        assertThat(browser.jumps()).as("how far it jumped while it was filled").isLessThan(0.1);
        assertSound();
    }

    @Test
    void handlers_whoseLastHourComesLate_canBePausedMeanwhile() {
        server.hold("minutes");
        try {
            show("rich", "light", "handlers");
            browser.untilShown("Nobody runs settle-invoice.");
            browser.control("Pause send-webhook");
        } finally {
            server.answer();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',                                          Keyboard shortcuts (?)",
        "failures,                                    Retry…",
        "handlers,                                    Pause send-webhook",
        "groups,                                      Cancel…",
        "handlers,                                    Cancel…",
        "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f, Reschedule…",
        "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f, Cancel…"
    })
    void dialog_inBothThemes_isAccessibleAndLogsNothing(String page, String opens) {
        show("rich", "light", page);
        browser.click(opens);
        browser.until("a dialog", open -> open.has("dialog[open]"));
        assertSound();
    }

    /** The dialogs that ask about selected jobs. */
    @ParameterizedTest
    @ValueSource(strings = {"Cancel…", "Reschedule…"})
    void selection_inBothThemes_isAccessibleAndLogsNothing(String opens) {
        show("rich", "light", "jobs");
        browser.press("j", "j", "j", "j", "x", "j", "x");
        browser.untilShown("2 selected");
        browser.click(opens);
        browser.until("a dialog", open -> open.has("dialog[open]"));
        assertSound();
    }

    /** The line above a page whose data is no longer current. */
    @ParameterizedTest
    @CsvSource({
        "401, Your session has ended.",
        "403, You may not look at the jobs.",
        "500, The server cannot answer.",
        "503, The job store does not answer."
    })
    void banner_inBothThemes_isAccessible(int status, String says) {
        show("rich", "light", "cluster");
        server.refuse(status);
        try {
            browser.untilShown(says);
            assertThat(browser.violationsInBothThemes()).isEmpty();
        } finally {
            server.answer();
            browser.console();
        }
    }

    /** Dead letters can only be retried; for waiting jobs the dialog asks what to do. */
    @ParameterizedTest
    @CsvSource({"FAILED, Retry them", "DELAYED, Reschedule them"})
    void dialogOfAllThatMatch_inBothThemes_isAccessibleAndLogsNothing(String state, String does) {
        show("rich", "light", "jobs&state=" + state + "&name=send-webhook");
        browser.run("document.querySelector('[aria-label=\"Select all on this page\"]').click()");
        browser.click("All that match…");
        browser.control(does);
        assertSound();
        browser.type("dialog .inp", "soon");
        browser.untilShown("That is not a duration.");
        assertSound();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "timetable",
                "jobs",
                "job&id=01a1fc8f-f62a-7077-a003-c7f3e17a6f0f",
                "groups",
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

    @Test
    void jobsWithoutAHandler_thatAreNotDueYet_haveNoDueTimeOnTheOverview() {
        show("hostile", "light", "");
        browser.untilShown("Nobody runs not-due-yet");

        assertThat(browser.run("return document.body.innerText").toString())
                .contains("7 jobs wait")
                .doesNotContain("7 jobs wait, the oldest due");
    }

    @ParameterizedTest
    @CsvSource({
        "'',        No statistics",
        "wheel,     This instance shows no wheel.",
        "timetable, Nothing is planned",
        "jobs,      No jobs yet",
        "groups,    No groups",
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
                "groups",
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
            assertThat(browser.run(
                            "const item = document.querySelector('.nav > [aria-current]').getBoundingClientRect();"
                                    + "return item.left >= 0 && item.right <= 390"))
                    .as("the name of the page is in the window")
                    .isEqualTo(true);
            assertThat(browser.violations()).isEmpty();
        } finally {
            browser.size(1440, 1000);
        }
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
