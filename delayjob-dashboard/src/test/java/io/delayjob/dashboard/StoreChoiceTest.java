package io.delayjob.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.dashboard.RealApplication.Work;
import io.delayjob.job.JobState;
import io.delayjob.store.JobQuery;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;

/** The page of an application with several stores. */
class StoreChoiceTest {

    @Configuration(proxyBeanMethods = false)
    static class NoLogin {}

    private static RealApplication start(String... properties) {
        return RealApplication.start(WebApplicationType.SERVLET, NoLogin.class, RealApplication.database(), properties);
    }

    private static void choose(Browser browser, String store) {
        browser.run(
                "const choice = document.getElementById('store'); choice.value = arguments[0];"
                        + " choice.dispatchEvent(new Event('change', { bubbles: true }));",
                store);
    }

    @Test
    void chosenStore_isShown_andRemembered() {
        Browser browser = Browser.shared();
        browser.size(1440, 1000);
        try (RealApplication shop = start(DashboardServingTest.OPEN, "delayjob.stores.eu.store=memory")) {
            shop.jobs().schedule(Work::capture).with(1L).key("order-here").after(Duration.ofHours(1));
            shop.jobs()
                    .in("eu")
                    .schedule(Work::capture)
                    .with(2L)
                    .key("order-eu")
                    .after(Duration.ofHours(1));
            String jobs = shop.address() + "/actuator/delayjobs/ui/?jobs&state=DELAYED";
            browser.show(jobs);
            browser.untilShown("order-here");
            assertThat(browser.violations()).isEmpty();

            choose(browser, "eu");
            browser.untilShown("order-eu");
            assertThat(browser.main()).doesNotContain("order-here");

            browser.visit(jobs);
            browser.untilShown("order-eu");
            browser.press(Keys.SPACE);
            browser.untilShown("Stopped");
            choose(browser, "default");
            browser.untilShown("order-here");
            assertThat(browser.console()).isEmpty();
        } finally {
            browser.forget();
        }
    }

    /** More than one request, so that the later ones come after the choice. */
    @Test
    void changeOfManyJobs_staysInItsStore_whateverIsShownMeanwhile() {
        Browser browser = Browser.shared();
        browser.size(1440, 1000);
        try (RealApplication shop = start(
                DashboardServingTest.OPEN,
                "management.endpoint.delayjobs.access=unrestricted",
                "delayjob.stores.eu.store=memory")) {
            List<Long> orders = LongStream.range(0, 1_200).boxed().toList();
            shop.jobs().in("eu").schedule(Work::capture).withEach(orders).after(Duration.ofHours(1));
            shop.jobs().schedule(Work::capture).withEach(orders).after(Duration.ofHours(1));
            browser.show(shop.address() + "/actuator/delayjobs/ui/?jobs&state=DELAYED&name=capture-payment");
            choose(browser, "eu");
            browser.untilShown("50 jobs");
            browser.run("document.querySelector('[aria-label=\"Select all on this page\"]').click()");
            browser.click("All that match…");
            browser.choose("cancel");
            browser.type("#typed", "cancel all");
            browser.until("the button", open -> open.control("Cancel them").isEnabled());

            browser.run("document.querySelector('dialog [type=submit]').click();"
                    + " const choice = document.getElementById('store'); choice.value = 'default';"
                    + " choice.dispatchEvent(new Event('change', { bubbles: true }));");
            browser.untilShown("1,200 jobs cancelled.");

            assertThat(shop.jobs().stream(JobQuery.state(JobState.DELAYED))).hasSize(1_200);
            assertThat(shop.jobs().in("eu").stream(JobQuery.state(JobState.DELAYED)))
                    .isEmpty();
        } finally {
            browser.forget();
        }
    }

    @Test
    void onlyStore_needsNoChoice_andAForgottenStoreDoesNoHarm() {
        Browser browser = Browser.shared();
        try (RealApplication shop = start(DashboardServingTest.OPEN)) {
            shop.jobs().schedule(Work::capture).with(1L).key("order-here").after(Duration.ofHours(1));
            String jobs = shop.address() + "/actuator/delayjobs/ui/?jobs&state=DELAYED";
            browser.show(jobs);
            browser.untilShown("order-here");
            assertThat(browser.has("#store")).isFalse();

            browser.run("localStorage.setItem('delayjob.store', 'eu')");
            browser.visit(jobs);
            browser.untilShown("order-here");
        } finally {
            browser.forget();
        }
    }
}
