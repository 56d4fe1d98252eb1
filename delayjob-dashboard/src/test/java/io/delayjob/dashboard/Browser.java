package io.delayjob.dashboard;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A headless Chromium. Debian has it in the packages chromium and chromium-driver; {@code DELAYJOB_TEST_BROWSER} and
 * {@code DELAYJOB_TEST_BROWSER_DRIVER} name others. Where it is absent, tests are skipped; with {@code
 * DELAYJOB_TEST_REQUIRE_BROWSER=true} they fail.
 */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(25);

    private static final List<String> QUIET = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            // Coloured edges of letters would triple the size of screenshots.
            "--disable-lcd-text");

    /** The rules of axe-core that depend on colours, and are not off by default. */
    private static final List<String> COLOUR_RULES = List.of("color-contrast", "link-in-text-block");

    private static Browser shared;

    private final ChromeDriver driver;
    private final Path profile;

    private Browser(ChromeDriver driver, Path profile) {
        this.driver = driver;
        this.profile = profile;
    }

    /** The one that all tests of this JVM share; it is closed with the JVM. */
    static synchronized Browser shared() {
        if (shared == null) {
            shared = open();
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
        }
        return shared;
    }

    private static Browser open() {
        File browser = new File(System.getenv().getOrDefault("DELAYJOB_TEST_BROWSER", "/usr/bin/chromium"));
        File chromeDriver =
                new File(System.getenv().getOrDefault("DELAYJOB_TEST_BROWSER_DRIVER", "/usr/bin/chromedriver"));
        if (!browser.canExecute() || !chromeDriver.canExecute()) {
            String word =
                    "%s and %s are not both there: install Debian's chromium and chromium-driver, or name others in"
                                    .formatted(browser, chromeDriver)
                            + " DELAYJOB_TEST_BROWSER and DELAYJOB_TEST_BROWSER_DRIVER";
            Assumptions.assumeTrue(Boolean.parseBoolean(System.getenv("DELAYJOB_TEST_REQUIRE_BROWSER")), word);
            throw new IllegalStateException(word);
        }
        try {
            Path profile = Files.createTempDirectory("delayjob-browser");
            LoggingPreferences logs = new LoggingPreferences();
            logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
            ChromeOptions options = new ChromeOptions();
            options.setBinary(browser);
            options.addArguments(QUIET);
            options.addArguments("--user-data-dir=" + profile);
            options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
            ChromeDriver driver = new ChromeDriver(
                    new ChromeDriverService.Builder()
                            .usingDriverExecutable(chromeDriver)
                            .usingAnyFreePort()
                            .build(),
                    options);
            // axe-core takes long on a machine that does much else.
            driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
            return new Browser(driver, profile);
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    /** Opens a page, and waits until all that it reads is there. */
    void show(String url) {
        driver.get(url);
        loaded();
    }

    /** Opens whatever is there, without waiting for the page. */
    void visit(String url) {
        driver.get(url);
    }

    /** Ends the session at the application, whose cookie it is. */
    void signOut() {
        driver.manage().deleteAllCookies();
    }

    /** As a new user would come: without a session, and without what the page remembers. */
    void forget() {
        if (address().startsWith("http")) {
            driver.manage().deleteAllCookies();
            run("localStorage.clear()");
            driver.get("about:blank");
        }
        theme("light");
        zone("UTC");
        console();
    }

    /** Waits until the page has its data: no grey lines stand in for it. */
    void loaded() {
        until(
                "the page to be loaded",
                page -> Boolean.TRUE.equals(page.run(
                        "return !!document.querySelector('main[data-page]') && !document.querySelector('.skels')"
                                + " && document.querySelectorAll('.nav .sub .n').length === 7"
                                + " && document.querySelector('.nav .sub .n').textContent !== ''")));
    }

    void theme(String theme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    /** Waits until the page is drawn as it is now. */
    void drawn() {
        run("return new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    }

    /** The zone that the browser believes to be in, from the next page on. */
    void zone(String zone) {
        driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Runs JavaScript in the page, outside its content security policy. */
    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** What the application answers to a GET of the page for this path. */
    String answer(String path) {
        return String.valueOf(run("return fetch(arguments[0]).then(answer => answer.text())", path));
    }

    String text(String selector) {
        return driver.findElement(By.cssSelector(selector)).getText();
    }

    String main() {
        return text("main");
    }

    /** The facts of the page, such as "Queue: default". */
    @SuppressWarnings("unchecked")
    List<String> facts() {
        return (List<String>) run("return [...document.querySelectorAll('.kv > div')].map(fact =>"
                + " fact.querySelector('dt').innerText + ': ' + fact.querySelector('dd').innerText)");
    }

    boolean has(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    /** The first button or link that shows this text, or has it as its name. */
    WebElement control(String text) {
        By by = By.xpath("(//dialog[@open]//*[self::button or self::a]"
                + "|//*[self::button or self::a][not(//dialog[@open])])[normalize-space()='%1$s' or @aria-label='%1$s']"
                        .formatted(text));
        until("'" + text + "'", page -> !driver.findElements(by).isEmpty());
        return driver.findElement(by);
    }

    void click(String text) {
        until("a click on '" + text + "'", page -> {
            WebElement control = page.control(text);
            if (!control.isEnabled()) {
                return false;
            }
            control.click();
            return true;
        });
    }

    void type(String selector, String text) {
        until("'" + text + "' in " + selector, page -> {
            WebElement field = driver.findElement(By.cssSelector(selector));
            field.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
            return text.equals(field.getDomProperty("value"));
        });
    }

    /** Presses keys, for whatever has the focus. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Chooses the option of a form whose label begins with this text. */
    void choose(String label) {
        By by = By.xpath("//dialog[@open]//label[starts-with(normalize-space(), '%s')]".formatted(label));
        until("'" + label + "'", page -> !driver.findElements(by).isEmpty());
        driver.findElement(by).click();
    }

    void enter(String selector) {
        driver.findElement(By.cssSelector(selector)).sendKeys(Keys.ENTER);
    }

    String address() {
        return driver.getCurrentUrl();
    }

    String title() {
        return driver.getTitle();
    }

    void until(String what, Predicate<Browser> condition) {
        new WebDriverWait(driver, PATIENCE, BETWEEN_LOOKS)
                .ignoring(StaleElementReferenceException.class)
                .ignoring(org.openqa.selenium.ElementNotInteractableException.class)
                .withMessage(() -> "waited for %s; the page shows: %s".formatted(what, text("body")))
                .until(open -> condition.test(this));
    }

    void untilShown(String text) {
        until("'" + text + "'", page -> page.text("body").contains(text));
    }

    /**
     * How far the page has moved what it had shown, as browsers measure it: 0 is not at all, up to 0.1 counts as good.
     */
    double jumps() {
        Object sum = driver.executeAsyncScript("const done = arguments[arguments.length - 1]; let sum = 0;"
                + "new PerformanceObserver(shifts => shifts.getEntries().forEach(shift => { sum += shift.value; }))"
                + ".observe({ type: 'layout-shift', buffered: true });"
                // Entries of the past arrive before the second frame.
                + "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(sum))));");
        return ((Number) sum).doubleValue();
    }

    /** What axe-core finds in the open dialog, or else on the page, one line each; nothing, if all is well. */
    List<String> violations() {
        return violations(Map.of("resultTypes", List.of("violations")));
    }

    /**
     * The same in both themes, one after the other, as the operating system switches them. They differ only in their
     * colours. Ends with the light one.
     */
    List<String> violationsInBothThemes() {
        theme("light");
        List<String> found = new ArrayList<>(violations());
        theme("dark");
        violations(Map.of("resultTypes", List.of("violations"), "runOnly", COLOUR_RULES))
                .forEach(violation -> found.add("dark: " + violation));
        theme("light");
        return found;
    }

    @SuppressWarnings("unchecked")
    private List<String> violations(Map<String, ?> options) {
        if (!Boolean.TRUE.equals(run("return 'axe' in window"))) {
            run(axe());
        }
        return (List<String>) driver.executeAsyncScript(
                "const [options, done] = arguments;"
                        + "axe.run(document.querySelector('dialog[open]') || document, options).then(found => done(found.violations.flatMap(violation =>"
                        + " violation.nodes.map(node => violation.id + ': ' + node.target.join(' ') + ' ' + node.failureSummary.replace(/\\s+/g, ' ')))));",
                options);
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Messages in the console since the last look. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    void screenshot(Path file) {
        try {
            Files.createDirectories(file.getParent());
            drawn();
            Files.write(file, SmallPng.of(driver.getScreenshotAs(OutputType.BYTES)));
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    @Override
    public void close() {
        driver.quit();
        org.springframework.util.FileSystemUtils.deleteRecursively(profile.toFile());
    }
}
