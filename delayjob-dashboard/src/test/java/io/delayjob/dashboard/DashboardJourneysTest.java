package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the page does with answers that a real application gives only after much work: many batches, a store that is
 * away, an hour of traffic. {@link RealJourneysTest} has the journeys that an application can be asked for.
 */
class DashboardJourneysTest {

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

    @BeforeEach
    void begin() {
        server.answer();
        server.changes().clear();
    }

    private static void show(String page) {
        browser.show(server.page("rich") + "?" + page);
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
                                        + Scene.RESOURCE_ACCESS + "\",\"from\":\"2026-")
                        .contains("\"limit\":\"500\""));
        assertThat(server.changes().get(0))
                .contains("\"delay\":\"0ms\"", "\"spread\":\"600000ms\"")
                .doesNotContain("after");
        assertThat(server.changes().get(1)).contains("\"delay\":\"600000ms\"", "\"after\":\"canned\"");
    }

    /** The number on the button counts only the failures of the span that the page shows. */
    @Test
    void failureGroup_retried_leavesEarlierFailuresThanThoseOnThePage() {
        show("failures");
        browser.click("1 h");
        browser.untilShown("in an hour");
        browser.click("Retry…");
        browser.type("#typed", "send-webhook");
        browser.click("Retry 182");
        browser.untilShown("682 jobs retried");

        JsonNode change = new JsonMapper().readTree(server.changes().get(0).substring("POST jobs ".length()));
        Instant from = Instant.parse(change.path("from").asString());
        Instant seen = Instant.parse(change.path("seen").asString());
        assertThat(Duration.between(from, seen)).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(62));
    }

    @Test
    void group_cancelled_asksFirst() {
        show("failures");
        browser.press("g", "g");
        browser.untilShown("612,358 of 1,000,000");
        browser.click("Cancel…");
        browser.untilShown("115 members have not ended.");
        browser.click("Cancel the group");
        browser.untilShown("Cancelled.");
        assertThat(server.changes()).containsExactly("DELETE groups/import-41");
    }

    /** The jobs that are not due come first, so the due ones are still to come. */
    @Test
    void cancelAll_stopped_leavesTheDueJobs() {
        show("handlers");
        browser.click("Cancel…");
        browser.type("#typed", "settle-invoice");
        server.hold("jobs");
        browser.click("Cancel them");
        browser.click("Stop");
        server.answer();
        browser.untilShown("500 jobs cancelled, 3 left as they were; stopped.");
        assertThat(browser.main()).doesNotContain("Cancelling");
        assertThat(server.changes())
                .singleElement()
                .satisfies(change -> assertThat(change).contains("\"state\":\"DELAYED\""));
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

    /** The page does not know how many there are, so each request spreads its jobs over the whole span. */
    @Test
    void allThatMatch_rescheduledOverASpan_goOnBatchByBatch() {
        show("jobs&state=DELAYED&name=send-webhook");
        browser.run("document.querySelector('[aria-label=\"Select all on this page\"]').click()");
        browser.click("All that match…");
        browser.untilShown("Delayed jobs, handler: send-webhook");
        assertThat(browser.control("Reschedule them").isEnabled()).isFalse();
        browser.type("#typed", "reschedule all");
        browser.click("Reschedule them");
        browser.untilShown("682 jobs rescheduled, 6 left as they were.");
        assertThat(server.changes())
                .hasSize(2)
                .allSatisfy(change -> assertThat(change)
                        .startsWith(
                                "POST jobs {\"action\":\"reschedule\",\"state\":\"DELAYED\",\"name\":\"send-webhook\",\"seen\":\"2026-")
                        .contains("\"delay\":\"3600000ms\"", "\"spread\":\"600000ms\""));
        assertThat(server.changes().get(1)).contains("\"after\":\"canned\"");
    }

    @Test
    void selection_thatIsNotTheWholePage_offersNoChangeOfAllThatMatch() {
        show("jobs&state=DELAYED&name=send-webhook");
        browser.press("j", "x");
        browser.untilShown("1 selected");
        assertThat(browser.text("[aria-label='Selected jobs']")).doesNotContain("All that match");
    }

    @Test
    void latenessBelowAMillisecond_hasNoSign() {
        show("jobs");
        browser.untilShown("< 1 ms");
        assertThat(browser.main()).doesNotContain("+<");
    }

    @Test
    void stackTrace_ofAJob_showsTheApplicationsFramesAndUnfoldsTheOthers() {
        show("job&id=" + SceneJobs.RETRYING);
        browser.untilShown("… 4 more frames of libraries");
        assertThat(browser.main())
                .contains("at com.example.shop.Webhooks.send(Webhooks.java:48)", "Caused by:", "... 6 more")
                .doesNotContain("Thread.run", "CGLIB");
        browser.run("document.querySelector('.trace summary').click()");
        browser.untilShown("at java.base/java.lang.Thread.run(Thread.java:1583)");
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void store_away_saysThatJobsWaitAndNoneIsLost() {
        show("failures");
        server.refuse(503);
        browser.untilShown("The job store is away. Jobs wait, none is lost.");
    }

    /** Less than the 5 s after which the page would ask by itself. */
    @Test
    void readThatIsRefused_isRepeatedWhenTheServerSays() {
        server.refuse("queues", 3);
        show("handlers");
        browser.until("another request", open -> server.asked("queues").size() >= 2);
        assertThat(firstPause("queues")).isBetween(Duration.ofMillis(2_900), Duration.ofMillis(4_900));
    }

    /** More than those 5 s. */
    @Test
    void pulseThatIsRefused_isRepeatedWhenTheServerSays() {
        show("failures");
        server.refuse("pulse", 7);
        browser.until("another request", open -> server.asked("pulse").size() >= 2);
        assertThat(firstPause("pulse")).isGreaterThan(Duration.ofMillis(6_900));
    }

    private static Duration firstPause(String path) {
        return Duration.between(server.asked(path).get(0), server.asked(path).get(1));
    }

    /** Who paused it is not part of the event, because instances tell each other names only. */
    @Test
    void pause_lately_tellsOfItsAuthor() {
        show("cluster");
        browser.untilShown("Handler nightly-report was paused. By ann@example.com");
    }

    @Test
    void longestRun_ofAnInstance_leadsToItsJob() {
        show("cluster");
        browser.until("an instance with a long run", open -> open.has("[aria-label=Instances] tbody a"));
        browser.run("document.querySelector('[aria-label=Instances] tbody a').click()");
        browser.untilShown("Fourth and last attempt in");
    }

    @Test
    void handler_thatSomeInstancesLack_tellsHowManyRunIt() {
        show("handlers");
        browser.untilShown("at most 2 · 2 of 4 instances");
        assertThat(browser.main()).containsOnlyOnce("of 4 instances");
    }

    @Test
    void switches_ofTheHandlers_areInSight() {
        show("handlers");
        browser.untilShown("16 retries, 10 s growing to 1 h");
        assertThat(browser.run("const box = document.querySelector('[role=group][aria-label=Handlers]');"
                        + "return box.scrollWidth <= box.clientWidth"))
                .isEqualTo(true);
    }

    @Test
    void limits_areShownInWords() {
        show("handlers");
        browser.untilShown("16 retries, 10 s growing to 1 h");
        assertThat(browser.main())
                .contains(
                        "at most 8 in the cluster · 100/s, burst 10, by key · one at a time by key · in turns by key",
                        "at most 8 in the cluster · kept for 90 d",
                        "expires after 1 h");
    }

    @Test
    void group_leadsToItsMembers_andTheFilterTakesAnotherName() {
        show("groups");
        browser.click("import-41");
        browser.until("its members", open -> open.address().endsWith("?jobs&group=import-41"));
        browser.untilShown("send-webhook");
        assertThat(browser.main()).doesNotContain("cancel-unpaid-order");

        browser.type("#filter", "group:import-40");
        browser.enter("#filter");
        browser.untilShown("No job matches");
        assertThat(browser.address()).endsWith("?jobs&group=import-40");
    }

    @Test
    void facts_ofAJob_nameItsGroupAndItsKeys() {
        show("job&id=" + SceneJobs.RETRYING);
        browser.untilShown("Fourth and last attempt in");
        assertThat(browser.facts())
                .contains("Group: import-41", "Mutex: partner-a", "Rate key: partner-a", "Fair key: shop-7")
                .noneMatch(fact -> fact.startsWith("Kept until") || fact.startsWith("Follows group"));
        browser.click("import-41");
        browser.until("the members", open -> open.address().endsWith("?jobs&group=import-41"));
    }

    @Test
    void schedulesAndRetryPolicies_areShownInWords() {
        show("handlers");
        browser.untilShown("16 retries, 10 s growing to 1 h");
        assertThat(browser.main())
                .contains(
                        "after 10 s, 1 m, 1 h",
                        "3 retries, 5 m growing × 1, jitter 10 s",
                        "cron 0 0 3 * * * Europe/Berlin",
                        "30 s growing to 1 h");
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
    void timetable_colouredByQueue_addsUpTheHandlersOfEach() {
        show("timetable");
        browser.click("by queue");
        browser.until(
                "the queues",
                open -> open.text("[aria-label='The chosen time'] ul")
                        .lines()
                        .filter(line -> line.matches("[a-z-]+"))
                        .allMatch(List.of("default", "webhooks", "payments", "reports")::contains));
        assertThat(browser.address()).endsWith("?timetable&by=queue");
        browser.click("24 h");
        browser.until("both choices", open -> open.address().endsWith("?timetable&span=24h&by=queue"));
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void store_onTheCluster_tellsHowLongItsCallsTake_andItsSize() {
        show("cluster");
        browser.untilShown("1.9 ms mean · 4.4 ms at most");
        assertThat(browser.text("[aria-label=Store]")).contains("Claim", "Complete", "Schedule", "4.8 GB with indexes");
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
