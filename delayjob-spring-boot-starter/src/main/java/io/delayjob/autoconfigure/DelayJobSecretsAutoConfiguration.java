package io.delayjob.autoconfigure;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Masks secret properties below {@code delayjob} in the actuator endpoints {@code env} and {@code configprops}. These
 * properties are secret:
 *
 * <ul>
 *   <li>all properties with a name that ends in {@code secret}
 *   <li>the fixed headers and the URLs of targets
 *   <li>the URLs and the passwords of named stores
 * </ul>
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
