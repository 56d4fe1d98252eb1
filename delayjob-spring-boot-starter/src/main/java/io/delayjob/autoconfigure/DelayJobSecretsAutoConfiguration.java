package io.delayjob.autoconfigure;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Masks secret properties below {@code delayjob} in the actuator endpoints {@code env} and {@code configprops}. Three
 * groups are secret: names that end in {@code secret}; the fixed headers and URLs of targets; the URLs and passwords of
 * named stores.
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class DelayJobSecretsAutoConfiguration {

    /** The names are compared without separators, because environment variables have other separators. */
    private static final Pattern SECRET = Pattern.compile(
            "delayjob(.*secret|targets.*(?<!allowed)headers.*|targets.*httpurl|stores.*(password|url))");

    @Bean
    SanitizingFunction delayJobSecretsAreMasked() {
        return data -> SECRET.matcher(letters(data)).matches() ? data.withSanitizedValue() : data;
    }

    private static String letters(SanitizableData data) {
        return data.getKey().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
