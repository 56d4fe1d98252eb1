package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobOperations;
import io.delayjob.dashboard.RealApplication.Work;
import io.delayjob.job.JobId;
import io.delayjob.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;

/** Each page and dialog with the data of a real application: accessible, usable by keys, and silent in the console. */
class RealPagesTest {

    private static final int MOST_TABS = 150;

    private static Browser browser;
    private static RealApplication shop;
    private static JobId waiting;
    private static JobId failed;
    private static JobId running;

    @Configuration(proxyBeanMethods = false)
    static class NoLogin {}

    @BeforeAll
    static void open() {
        browser = Browser.shared();
        browser.size(1440, 1000);
        shop = RealApplication.start(
                WebApplicationType.SERVLET,
                NoLogin.class,
                RealApplication.database(),
                DashboardServingTest.OPEN,
                "management.endpoint.delayjobs.access=unrestricted",
                "delayjob.dashboard.environment=staging");
        DelayJobOperations jobs = shop.jobs();
        List<JobId> ended = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ended.add(jobs.schedule(Work::capture).with((long) i).now().id());
        }
        for (int i = 0; i < 10; i++) {
            waiting = jobs.schedule(Work::capture)
                    .with(100L + i)
                    .key("order-" + i)
                    .after(Duration.ofMinutes(1 + 5 * i))
                    .id();
        }
        failed = jobs.schedule(Work::send).with("hook").now().id();
        running = jobs.schedule(Work::export).now().id();
        jobs.schedule("settle-invoice").after(Duration.ZERO);
        ended.forEach(id -> untilState(id, JobState.FINISHED));
        untilState(failed, JobState.FAILED);
        untilState(running, JobState.RUNNING);
        jobs.pauseQueue("default", "ann", "the database moves");
    }

    private static void untilState(JobId id, JobState state) {
        browser.until(
                state + " in the store",
                open -> shop.jobs().find(id).orElseThrow().state() == state);
    }

    @AfterAll
    static void close() {
        if (shop != null) {
            shop.close();
            browser.forget();
        }
    }

    @BeforeEach
    void begin() {
        browser.forget();
    }

    private static void show(String page) {
        String query = page.replace("<waiting>", waiting.toString())
                .replace("<failed>", failed.toString())
                .replace("<running>", running.toString());
        browser.show(shop.address() + "/actuator/delayjobs/ui/?" + query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wheel",
                "timetable",
                "jobs",
                "jobs&state=DELAYED",
                "jobs&state=FAILED",
                "job&id=<waiting>",
                "job&id=<failed>",
                "job&id=<running>",
                "failures",
                "handlers",
                "cluster"
            })
    void page_inBothThemesAndOnAPhone_isAccessibleFitsAndLogsNothing(String page) {
        show(page);
        assertThat(browser.violationsInBothThemes()).isEmpty();
        browser.theme("dark");
        browser.size(390, 844);
        try {
            browser.drawn();
            assertThat(browser.run("return document.documentElement.scrollWidth"))
                    .as("its width on a phone")
                    .isEqualTo(390L);
            assertThat(browser.violations()).as("on a phone").isEmpty();
        } finally {
            browser.size(1440, 1000);
        }
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void pageOfARunningJob_showsTheLinesOfItsAttempt() {
        show("job&id=<running>");

        browser.untilShown("page 1 is written");
        assertThat(browser.main()).contains("attempt 1");
    }

    @ParameterizedTest
    @CsvSource({
        "'',               Keyboard shortcuts (?)",
        "failures,         Retry…",
        "handlers,         Pause capture-payment",
        "handlers,         Cancel…",
        "job&id=<waiting>, Reschedule…",
        "job&id=<waiting>, Cancel…"
    })
    void dialog_reachedByKeys_isAccessible_keepsTheFocus_andGivesItBack(String page, String opens) {
        show(page);
        tabTo(opens);
        browser.press(Keys.ENTER);
        assertSoundUntilEscape();
        assertThat(focused()).isEqualTo(opens);
    }

    /** The dialogs that ask about selected jobs. */
    @ParameterizedTest
    @ValueSource(strings = {"Cancel…", "Reschedule…"})
    void dialogOfASelection_reachedByKeys_isAccessible_keepsTheFocus_andGivesItBack(String opens) {
        show("jobs&state=DELAYED");
        browser.press("j", "x", "j", "x");
        browser.untilShown("2 selected");
        tabTo(opens);
        browser.press(Keys.ENTER);
        assertSoundUntilEscape();
        assertThat(focused()).isEqualTo(opens);
    }

    private static void tabTo(String label) {
        browser.control(label);
        for (int tabs = 0; tabs < MOST_TABS; tabs++) {
            browser.press(Keys.TAB);
            if (label.equals(focused())) {
                return;
            }
        }
        throw new AssertionError("'%s' is not reached by %d tabs".formatted(label, MOST_TABS));
    }

    /** The name of the control that has the focus. */
    private static Object focused() {
        return browser.run("const at = document.activeElement; return at.getAttribute('aria-label') || at.innerText");
    }

    private static void assertSoundUntilEscape() {
        browser.until("a dialog", open -> open.has("dialog[open]"));
        assertThat(browser.violationsInBothThemes()).isEmpty();
        for (int tabs = 0; tabs < 12; tabs++) {
            browser.press(Keys.TAB);
            assertThat(browser.run("const at = document.activeElement;"
                            + "return at === document.body || document.querySelector('dialog[open]').contains(at)"))
                    .as("the focus stays in the dialog")
                    .isEqualTo(true);
        }
        browser.press(Keys.ESCAPE);
        browser.until("the dialog to close", open -> !open.has("dialog[open]"));
        assertThat(browser.console()).isEmpty();
    }
}
