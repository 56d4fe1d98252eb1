package io.delayjob.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for the answers that other systems send to waiting attempts.
 *
 * @param secret Secret that signs tickets: 24 bytes or more in Base64, the same on all instances. Without it, there is
 *     no bean of type AnswerTickets.
 * @param previousSecret Previous secret, which is still accepted.
 * @param url Beginning of the URL to which other systems send answers. The rest of the URL is a slash and the ticket.
 * @param insecure Whether the URL may begin with http://.
 */
@ConfigurationProperties("delayjob.answers")
public record DelayJobAnswersProperties(
        @Nullable String secret,
        @Nullable String previousSecret,
        @Nullable String url,
        @DefaultValue("false") boolean insecure) {

    @Nullable
    String base() {
        if (url == null) {
            return null;
        }
        if (!url.matches("https?://[^\\s/?#@]+[^\\s?#@]*")) {
            throw new InvalidSettingException(
                    "delayjob.answers.url",
                    "Invalid delayjob.answers.url '%s': must be a URL without user info, query or fragment."
                            .formatted(url));
        }
        if (!insecure && !url.startsWith("https://")) {
            throw new InvalidSettingException(
                    "delayjob.answers.url",
                    "Invalid delayjob.answers.url '%s': must begin with https://, because anyone who sees a ticket may answer; for a test, set delayjob.answers.insecure=true."
                            .formatted(url));
        }
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Leaves out the secrets. */
    @Override
    public String toString() {
        return "DelayJobAnswersProperties[url=" + url + ", insecure=" + insecure + "]";
    }
}
