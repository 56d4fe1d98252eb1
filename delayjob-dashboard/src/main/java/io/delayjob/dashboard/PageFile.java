package io.delayjob.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A file of the dashboard page.
 *
 * @param tag the hash of its content, quoted as an entity tag
 */
record PageFile(byte[] content, String type, String tag) {

    /** A request cannot choose a file that is not in this list. */
    private static final String[] NAMES = {
        "actions.js",
        "api.js",
        "app.css",
        "app.js",
        "bulk.js",
        "charts.js",
        "cluster.js",
        "derive.js",
        "failures.js",
        "groups.js",
        "handlers.js",
        "icon.svg",
        "index.html",
        "job.js",
        "jobs.js",
        "overview.js",
        "parts.js",
        "preact.module.js",
        "state.js",
        "text.js",
        "theme.js",
        "timetable.js",
        "wheel.js",
        "wheelcanvas.js"
    };

    /** The session data contain the token for changes, so no cache may store them. */
    static final String NO_STORE = "no-store";

    /** Browsers cache the files, but ask the server before each use whether the files are still current. */
    static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-cache",
            "Content-Security-Policy",
                    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    /** The HTML document has two names: its own name and the empty name. */
    static Map<String, PageFile> all() {
        Map<String, PageFile> files = new TreeMap<>();
        for (String name : NAMES) {
            files.put(name, read(name));
        }
        files.put("", files.get("index.html"));
        return files;
    }

    private static PageFile read(String name) {
        try (InputStream file = PageFile.class.getResourceAsStream("ui/" + name)) {
            if (file == null) {
                throw new IllegalStateException(
                        "The jar of delayjob-dashboard lacks %s: build the jar again.".formatted(name));
            }
            byte[] content = file.readAllBytes();
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return new PageFile(content, type(name), '"' + HexFormat.of().formatHex(hash, 0, 12) + '"');
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "css" -> "text/css;charset=utf-8";
            case "html" -> "text/html;charset=utf-8";
            case "js" -> "text/javascript;charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException("The page has no files like " + name);
        };
    }

    boolean isKnownBy(@Nullable String ifNoneMatch) {
        return ifNoneMatch != null && ifNoneMatch.contains(tag);
    }
}
