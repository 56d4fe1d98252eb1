package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What operators come for, with canned answers: it pins which requests the page makes, and what it says of their answers. */
class DashboardJourneysTest {

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

    @BeforeEach
    void begin() {
        server.refuse(0);
        server.mayChange(true);
        server.changes().clear();
    }

    private static void show(String page) {
        browser.show(server.page("rich") + "?" + page);
    }

    private static void untilChanged(String... changes) {
        browser.until("the change", open -> server.changes().size() >= changes.length);
        assertThat(server.changes()).containsExactly(changes);
    }

    @Test
    void key_searched_leadsToTheJobAndToTheReasonWhyItWaits() {
        show("");
        browser.press("/");
        browser.type("#find", "order-81701");
        browser.enter("#find");
        browser.untilShown("capture-payment");
        assertThat(browser.address()).endsWith("?jobs&key=order-81701");
        browser.click("capture-payment");
        browser.untilShown("Why does it not run?");
        assertThat(browser.main()).contains("It is not due before");
    }

    @Test
    void idAndHandler_searched_leadToTheJobAndToItsJobs() {
        show("handlers");
        browser.type("#find", SceneJobs.RETRYING.toUpperCase(java.util.Locale.ROOT));
        browser.enter("#find");
        browser.untilShown("Fourth and last attempt in");
        browser.type("#find", "send-webhook");
        browser.enter("#find");
        browser.until("the list", open -> open.address().endsWith("?jobs&name=send-webhook"));
    }

    @Test
    void failureGroup_retriedOverASpan_goesOnBatchByBatch() {
        show("failures");
        browser.click("Retry…");
        assertThat(browser.control("Retry 182").isEnabled()).isFalse();
        browser.type("#typed", "send-webhook");
        browser.click("Retry 182");
        browser.untilShown("682 jobs retried, 6 left as they were.");
        assertThat(server.changes())
                .hasSize(2)
                .allSatisfy(change -> assertThat(change)
                        .startsWith(
                                "POST jobs {\"action\":\"retry\",\"state\":\"FAILED\",\"name\":\"send-webhook\",\"error\":\""
                                        + Scene.RESOURCE_ACCESS + "\",\"seen\":\"2026-")
                        .contains("\"limit\":\"500\""));
        assertThat(server.changes().get(0))
                .contains("\"delay\":\"0ms\"", "\"spread\":\"600000ms\"")
                .doesNotContain("after");
        assertThat(server.changes().get(1)).contains("\"delay\":\"600000ms\"", "\"after\":\"canned\"");
    }

    @Test
    void job_cancelledRescheduledAndStarted_asksBeforeAndTellsAfter() {
        show("job&id=" + SceneJobs.RETRYING);
        browser.click("Cancel…");
        browser.click("Leave it");
        browser.click("Reschedule…");
        browser.type("dialog input", "1 h 30 m");
        browser.click("Reschedule");
        browser.untilShown("It is due in 1 h 30 m.");
        browser.click("Run now");
        browser.untilShown("It is due now.");
        browser.click("Cancel…");
        browser.click("Cancel this job");
        browser.untilShown("Cancelled: no attempt starts.");
        String job = "jobs/" + SceneJobs.RETRYING;
        untilChanged(
                "POST " + job + " {\"action\":\"reschedule\",\"delay\":\"5400000ms\"}",
                "POST " + job + " {\"action\":\"run\"}",
                "DELETE " + job);
    }

    @Test
    void handler_pausedAndAnotherResumed_tellsTheServer() {
        show("handlers");
        browser.click("Pause send-webhook");
        browser.click("Pause");
        browser.untilShown("send-webhook is paused on all instances");
        browser.click("Resume nightly-report");
        untilChanged(
                "POST handlers/send-webhook {\"action\":\"pause\"}",
                "POST handlers/nightly-report {\"action\":\"resume\"}");
    }

    @Test
    void jobs_selectedByKeys_areCancelledOneByOne() {
        show("jobs");
        browser.press("j", "j", "j", "j", "x", "j", "x");
        browser.untilShown("2 selected");
        browser.click("Cancel…");
        browser.click("Cancel 2 jobs");
        browser.untilShown("2 jobs cancelled.");
        assertThat(server.changes()).hasSize(2).allMatch(change -> change.startsWith("DELETE jobs/01a1fc8f-"));
    }

    @Test
    void reader_onAllPages_seesNoButtonThatChanges() {
        server.mayChange(false);
        for (String page : new String[] {"jobs", "job&id=" + SceneJobs.RETRYING, "failures", "handlers"}) {
            show(page);
            assertThat(browser.text("body"))
                    .contains("and may look")
                    .doesNotContain("Retry…", "Cancel…", "Reschedule…", "Run now");
            assertThat(browser.has("[role=switch], main input[type=checkbox]")).isFalse();
        }
    }

    @Test
    void change_refusedByTheServer_saysWhichRuleAndLosesNothing() {
        show("job&id=" + SceneJobs.RETRYING);
        server.mayChange(false);
        browser.click("Run now");
        browser.untilShown("You may look but not change: the server refused the request (403).");
        // Once more with a new token, in case the session had changed.
        assertThat(server.changes()).hasSize(2);
    }

    @Test
    void session_over_asksToSignInAndKeepsWhatWasThere() {
        show("");
        server.refuse(401);
        browser.untilShown("Your session has ended.");
        assertThat(browser.main()).contains("Jobs start 1.8 ms");
        server.refuse(0);
        browser.until("recovery", open -> !open.main().contains("Your session has ended."));
    }

    @Test
    void server_goneAndBack_saysSinceWhenAndRecovers() throws IOException {
        try (CannedServer mortal = CannedServer.start()) {
            browser.show(mortal.page("rich"));
            int port = mortal.port();
            mortal.close();
            browser.untilShown("Not connected since");
            assertThat(browser.main()).contains("Trying again every 5 s", "Jobs start 1.8 ms");
            try (CannedServer again = CannedServer.start(port)) {
                assertThat(again.port()).isEqualTo(port);
                browser.until("recovery", open -> !open.main().contains("Not connected"));
            }
        }
        browser.console();
    }

    @Test
    void store_away_saysThatJobsWaitAndNoneIsLost() {
        show("failures");
        server.refuse(503);
        browser.untilShown("The job store is away. Jobs wait, none is lost.");
    }

    @Test
    void keys_pressed_changePageThemeAndPulse() {
        show("");
        browser.press("g", "c");
        browser.untilShown("the instance that reads the rows of each partition ahead");
        Object theme = browser.run("return getComputedStyle(document.documentElement).backgroundColor");
        browser.press("t");
        assertThat(browser.run("return getComputedStyle(document.documentElement).backgroundColor"))
                .isNotEqualTo(theme);
        browser.press(Keys.SPACE);
        browser.untilShown("Stopped");
        browser.press(Keys.SPACE);
        browser.untilShown("Live");
        browser.press("?");
        browser.until("the keys", open -> open.has("dialog[open]"));
        browser.run("localStorage.clear()");
    }

    @Test
    void timetable_movedByArrows_tellsOfTheChosenMinute() {
        show("timetable");
        String busiest = browser.text("[aria-label='The chosen time'] h2");
        browser.run("document.querySelector('[role=slider]').focus()");
        browser.press(Keys.ARROW_LEFT);
        browser.until(
                "another minute",
                open -> !open.text("[aria-label='The chosen time'] h2").equals(busiest));
        assertThat(browser.has("[role=slider]:focus")).isTrue();
    }

    @Test
    void timeZone_switched_movesAllTimesAndIsRemembered() {
        browser.zone("Asia/Tokyo");
        show("cluster");
        browser.untilShown("13:22:11");
        browser.click("UTC");
        browser.untilShown("22:22:11");
        show("cluster");
        browser.untilShown("22:22:11");
        browser.run("localStorage.clear()");
        browser.zone("UTC");
    }
}
