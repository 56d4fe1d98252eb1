package io.delayjob.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/** The URL of a target. The scheme, the host and the port come only from the configuration. Immutable. */
final class TargetUrl {

    private final URI url;

    private TargetUrl(URI url) {
        this.url = url;
    }

    /** Error messages do not show the URL, because its path or query may be secret. */
    static TargetUrl parse(String target, @Nullable String text, boolean insecure) {
        if (text == null || text.isBlank()) {
            throw invalid(target, "must be given");
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException unreadable) {
            throw invalid(target, "must be a URL (character %d is wrong)".formatted(unreadable.getIndex()));
        }
        boolean https = "https".equalsIgnoreCase(url.getScheme());
        if (!https && !"http".equalsIgnoreCase(url.getScheme())) {
            throw invalid(target, "must begin with https://");
        }
        if (!https && !insecure) {
            throw invalid(target, "must begin with https://; for a test, set insecure=true");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw invalid(
                    target, "must have a host, and neither user info nor a fragment; set a header for credentials");
        }
        if (!url.normalize().equals(url)) {
            throw invalid(target, "must not hold '.' or '..'");
        }
        return new TargetUrl(url);
    }

    URI resolve(@Nullable String path) {
        if (path == null) {
            return url;
        }
        String base = url.getRawPath().endsWith("/")
                ? url.getRawPath().substring(0, url.getRawPath().length() - 1)
                : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        URI resolved =
                URI.create(url.getScheme() + "://" + url.getRawAuthority() + base + JobPath.encoded(path) + query);
        if (!resolved.getRawAuthority().equals(url.getRawAuthority())
                || !resolved.getRawPath().startsWith(base + "/")
                || !resolved.normalize().equals(resolved)) {
            throw new IllegalArgumentException("the path must stay below the target's URL.");
        }
        return resolved;
    }

    List<String> secrets() {
        String query = url.getRawQuery() == null ? "" : url.getRawQuery();
        return Stream.of(
                        Stream.of(url.getRawPath()),
                        Stream.of(url.getRawPath().split("/")),
                        Stream.of(query.split("&")).map(pair -> pair.substring(pair.indexOf('=') + 1)))
                .flatMap(parts -> parts)
                .flatMap(part -> Stream.of(part, UriUtils.decode(part, StandardCharsets.UTF_8)))
                .toList();
    }

    private static IllegalArgumentException invalid(String target, String rule) {
        return new IllegalArgumentException("Invalid url of target '%s': %s.".formatted(target, rule));
    }

    @Override
    public String toString() {
        return "TargetUrl[******]";
    }
}
